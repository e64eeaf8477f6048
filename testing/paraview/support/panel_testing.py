# SPDX-License-Identifier: BSD-3-Clause
"""What a filter's panel shows, by the decorators of its XML, without a GUI."""


def decorators(hints):
    return [] if hints is None else [
        one for one in (hints.GetNestedElement(i) for i in range(hints.GetNumberOfNestedElements()))
        if one.GetName() == "PropertyWidgetDecorator"]


def lets_see(decorator, proxy):
    """Whether ParaView's GenericDecorator, CompositeDecorator or InputDataTypeDecorator lets its widget be seen."""
    if decorator.GetAttribute("type") == "CompositeDecorator":
        expression = decorator.FindNestedElementByName("Expression")
        together = {"or": any, "and": all}[expression.GetAttribute("type")]
        return together([lets_see(one, proxy) for one in decorators(expression)])
    if decorator.GetAttribute("type") == "InputDataTypeDecorator":
        data = proxy.Input.GetDataInformation().DataInformation
        named = any(data.DataSetTypeIsA(one) for one in decorator.GetAttribute("name").split())
        return named != (decorator.GetAttribute("exclude") == "1")
    if decorator.GetAttribute("mode") != "visibility":
        return True
    value = str(proxy.SMProxy.GetProperty(decorator.GetAttribute("property")).GetElement(0))
    wanted = (decorator.GetAttribute("values") or decorator.GetAttribute("value")).split()
    return (value in wanted) != (decorator.GetAttribute("inverse") == "1")


def shown(proxy, name):
    """Whether the panel, advanced properties and all, shows a property with these settings."""
    groups = [proxy.SMProxy.GetPropertyGroup(i)
              for i in range(proxy.SMProxy.GetNumberOfPropertyGroups())]
    hints = [proxy.SMProxy.GetProperty(name).GetHints()]
    hints += [one.GetHints() for one in groups
              if name in (one.GetProperty(i).GetXMLName() for i in range(one.GetNumberOfProperties()))]
    return all(lets_see(one, proxy) for hint in hints for one in decorators(hint))
