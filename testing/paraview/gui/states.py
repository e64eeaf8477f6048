# SPDX-License-Identifier: BSD-3-Clause
"""What stands in a state file (.pvsm) that ParaView saved."""
from typing import NamedTuple
from xml.etree import ElementTree


class Proxy(NamedTuple):
    kind: str
    group: str
    settings: dict  # name of the property -> its values, as text; inputs by their name in the pipeline


def pipeline(path):
    """The sources and filters: their name in the pipeline -> the proxy."""
    root = ElementTree.parse(path).getroot()
    names = {item.get("id"): item.get("name") for collection in root.iter("ProxyCollection")
             if collection.get("name") in ("sources", "filters") for item in collection.iter("Item")}
    found = {}
    for proxy in root.iter("Proxy"):
        if proxy.get("group") in ("sources", "filters") and proxy.get("id") in names:
            settings = {}
            for one in proxy.findall("Property"):
                values = [element.get("value") for element in one.findall("Element")]
                inputs = [names.get(link.get("value")) for link in one.findall("Proxy")]
                settings[one.get("name")] = values + inputs
            found[names[proxy.get("id")]] = Proxy(proxy.get("type"), proxy.get("group"), settings)
    return found


def only(path, kind):
    """The settings of the one proxy of that kind."""
    proxy, = (one for one in pipeline(path).values() if one.kind == kind)
    return proxy.settings


def views(path):
    """The kinds of the views."""
    return [one.get("type") for one in ElementTree.parse(path).iter("Proxy")
            if one.get("group") == "views"]
