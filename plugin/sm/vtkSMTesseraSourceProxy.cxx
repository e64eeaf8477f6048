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
#include <vtkSMSettings.h>
#include <vtkSMStringVectorProperty.h>
#include <vtkSmartPointer.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

vtkStandardNewMacro(vtkSMTesseraSourceProxy);

namespace {

/** Copies the value that the panel shows for a property, applied or not. Returns false if the
 * property is of another kind. */
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

/** True if both are the same number, or both are NaN. NaN is not reported here: the property that
 * was set reports it. */
bool IsSame(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/** Levels are few whole numbers: ParaView's color map for an array of that name, when it is first
 * asked for, has one color a level instead of a ramp. What the user has saved takes precedence. */
bool ColorLevelsOneByOne() {
  // The colors of Okabe and Ito, which everyone can tell apart; from the ninth level on they begin
  // again. A legend has room for sixteen; all levels beyond have the dark color of no entry.
  static const char colors[] = "0.90,0.62,0, 0.34,0.71,0.91, 0,0.62,0.45, 0.94,0.89,0.26, "
                               "0,0.45,0.70, 0.84,0.37,0, 0.80,0.47,0.65, 0.6,0.6,0.6";
  constexpr int levels = 16;
  std::ostringstream json;
  json << R"({"array_lookup_tables": {"Level": {"PVLookupTable": {"IndexedLookup": 1,)"
       << R"("NanColor": [0.2, 0.2, 0.2], "IndexedColors": [)" << colors << ", " << colors
       << R"(], "Annotations": [)";
  for (int level = 0; level < levels; ++level) {
    json << (level ? "," : "") << '"' << level << "\",\"" << level << '"';
  }
  json << "]}}}}";
  constexpr double below_the_user = 0.0;
  return vtkSMSettings::GetInstance()->AddCollectionFromString(json.str(), below_the_user);
}

} // namespace

vtkSMTesseraSourceProxy::vtkSMTesseraSourceProxy() {
  static const bool once = ColorLevelsOneByOne();
  static_cast<void>(once);
  this->AddObserver(vtkCommand::UpdatePropertyEvent, this, &vtkSMTesseraSourceProxy::OnCommand);
  this->AddObserver(vtkCommand::PropertyModifiedEvent, this, &vtkSMTesseraSourceProxy::OnModified);
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

void vtkSMTesseraSourceProxy::OnModified(vtkObject *, unsigned long, void *name) {
  vtkPVXMLElement *hints = this->GetHints();
  vtkPVXMLElement *box = hints ? hints->FindNestedElementByName("Box") : nullptr;
  if (!name || !box || this->BoxFollows) {
    return;
  }
  double bounds[6], corner[3], size[3], follows[6];
  vtkSMPropertyHelper bounds_property(this, box->GetAttribute("bounds"));
  vtkSMPropertyHelper corner_property(this, box->GetAttribute("corner"));
  vtkSMPropertyHelper size_property(this, box->GetAttribute("size"));
  if (bounds_property.Get(bounds, 6) != 6 || corner_property.Get(corner, 3) != 3 ||
      size_property.Get(size, 3) != 3) {
    return;
  }
  const char *modified = static_cast<const char *>(name);
  const bool whole = std::strcmp(modified, box->GetAttribute("bounds")) == 0;
  bool same = true;
  for (int i = 0; i < 3; ++i) {
    const double low = bounds[2 * i], length = bounds[2 * i + 1] - low;
    same = same && IsSame(corner[i], low) && IsSame(size[i], length);
    follows[2 * i] = std::min(corner[i], corner[i] + size[i]);
    follows[2 * i + 1] = std::max(corner[i], corner[i] + size[i]);
    corner[i] = low;
    size[i] = length;
  }
  // corner + size is rounded: bounds that they come from stay as they are.
  if (!same) {
    this->BoxFollows = true;
    if (whole) {
      corner_property.Set(corner, 3);
      size_property.Set(size, 3);
    } else {
      bounds_property.Set(follows, 6);
    }
    this->BoxFollows = false;
  }
}

void vtkSMTesseraSourceProxy::TakePreset(vtkPVXMLElement *hints) {
  for (unsigned int i = 0; hints && i < hints->GetNumberOfNestedElements(); ++i) {
    vtkPVXMLElement *set = hints->GetNestedElement(i);
    vtkSMPropertyHelper property(this, set->GetAttribute("property"), true);
    double value;
    if (std::strcmp(set->GetName(), "Set") == 0 && set->GetScalarAttribute("value", &value)) {
      property.Set(value);
    } else if (std::strcmp(set->GetName(), "Toggle") == 0) {
      property.Set(property.GetAsInt() ? 0 : 1);
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
  // ParaView keeps no history of prototypes: to ask is no step for Undo to take back.
  other->PrototypeOn();
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
