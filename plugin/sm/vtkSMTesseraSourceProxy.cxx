// SPDX-License-Identifier: BSD-3-Clause
#include "sm/vtkSMTesseraSourceProxy.h"

#include <vtkClientServerStream.h>
#include <vtkCommand.h>
#include <vtkObjectFactory.h>
#include <vtkPVDataInformation.h>
#include <vtkPVXMLElement.h>
#include <vtkSMDoubleVectorProperty.h>
#include <vtkSMIdTypeVectorProperty.h>
#include <vtkSMIntVectorProperty.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMPropertyIterator.h>
#include <vtkSMSessionProxyManager.h>
#include <vtkSMStringVectorProperty.h>
#include <vtkSmartPointer.h>

#include <cstring>

vtkStandardNewMacro(vtkSMTesseraSourceProxy);

namespace {

/** What the user sees of a property, applied or not; false where it is of another kind. */
template <typename Property> bool CopySeen(vtkSMProperty *from, vtkSMProperty *to) {
  Property *seen = Property::SafeDownCast(from);
  Property *copy = Property::SafeDownCast(to);
  if (!seen || !copy) {
    return false;
  }
  const unsigned int count = seen->GetNumberOfUncheckedElements();
  copy->SetNumberOfElements(count);
  for (unsigned int i = 0; i < count; ++i) {
    copy->SetElement(i, seen->GetUncheckedElement(i));
  }
  return true;
}

} // namespace

vtkSMTesseraSourceProxy::vtkSMTesseraSourceProxy() {
  this->AddObserver(vtkCommand::UpdatePropertyEvent, this, &vtkSMTesseraSourceProxy::OnCommand);
}

vtkSMTesseraSourceProxy::~vtkSMTesseraSourceProxy() = default;

void vtkSMTesseraSourceProxy::PostUpdateData(bool usingCache) {
  const bool executed = this->NeedsUpdate && !usingCache;
  this->Superclass::PostUpdateData(usingCache);
  if (executed) {
    this->UpdatePropertyInformation();
  }
}

void vtkSMTesseraSourceProxy::OnCommand(vtkObject *, unsigned long, void *name) {
  vtkSMProperty *property = name ? this->GetProperty(static_cast<const char *>(name)) : nullptr;
  const char *command = property ? property->GetCommand() : nullptr;
  if (command && std::strcmp(command, "Estimate") == 0) {
    this->Estimate();
  } else if (command && std::strcmp(command, "Preset") == 0) {
    this->TakePreset(property->GetHints());
  }
}

void vtkSMTesseraSourceProxy::TakePreset(vtkPVXMLElement *hints) {
  for (unsigned int i = 0; hints && i < hints->GetNumberOfNestedElements(); ++i) {
    vtkPVXMLElement *set = hints->GetNestedElement(i);
    double value;
    if (std::strcmp(set->GetName(), "Set") == 0 && set->GetScalarAttribute("value", &value)) {
      vtkSMPropertyHelper(this, set->GetAttribute("property")).Set(value);
    }
  }
  this->UpdateVTKObjects();
}

void vtkSMTesseraSourceProxy::Estimate() {
  vtkSmartPointer<vtkSMProxy> made;
  made.TakeReference(
      this->GetSessionProxyManager()->NewProxy(this->GetXMLGroup(), this->GetXMLName()));
  vtkSMSourceProxy *other = vtkSMSourceProxy::SafeDownCast(made);
  if (!other) {
    return;
  }
  other->Copy(this);
  vtkSmartPointer<vtkSMPropertyIterator> it;
  it.TakeReference(this->NewPropertyIterator());
  for (; !it->IsAtEnd(); it->Next()) {
    vtkSMProperty *to = other->GetProperty(it->GetKey());
    if (to && !to->GetInformationOnly()) {
      CopySeen<vtkSMIntVectorProperty>(it->GetProperty(), to) ||
          CopySeen<vtkSMDoubleVectorProperty>(it->GetProperty(), to) ||
          CopySeen<vtkSMIdTypeVectorProperty>(it->GetProperty(), to) ||
          CopySeen<vtkSMStringVectorProperty>(it->GetProperty(), to);
    }
  }
  other->UpdateVTKObjects();
  vtkClientServerStream ask;
  ask << vtkClientServerStream::Invoke << VTKOBJECT(other) << "SetEstimateOnly" << 1
      << vtkClientServerStream::End;
  this->ExecuteStream(ask);

  vtkSMPropertyHelper input(this, "Input");
  vtkSMSourceProxy *source = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  vtkPVDataInformation *data = source ? source->GetDataInformation(input.GetOutputPort()) : nullptr;
  if (data && data->GetHasTime()) {
    other->UpdatePipeline(data->GetTime());
  } else {
    other->UpdatePipeline();
  }
  vtkSMProperty *text = other->GetProperty("EstimateText");
  other->UpdatePropertyInformation(text);
  vtkClientServerStream tell;
  tell << vtkClientServerStream::Invoke << VTKOBJECT(this) << "SetEstimateText"
       << vtkSMPropertyHelper(text).GetAsString() << vtkClientServerStream::End;
  this->ExecuteStream(tell);
  this->UpdatePropertyInformation(this->GetProperty("EstimateText"));
}
