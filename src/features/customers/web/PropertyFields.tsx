import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { StateField } from '../../../ui/StateField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { type FieldWords, labelIn } from '../../../ui/TwoAnswers.tsx'
import type { PlacePin } from '../../geocoding/web/PlaceTools.tsx'
import type { Property } from '../contract.ts'
import { CustomInputs } from '../custom/web/CustomInput.tsx'
import { type CustomForm, customForm } from '../custom/web/data.ts'

export type Pin = PlacePin | null

/** A property as the form holds it. The names are those of the wire below `property`, so that the server's errors find their fields. */
export type PropertyValues = {
  property: {
    street: string
    unit: string
    city: string
    state: string
    zip: string
    lawnSquareFeet: number | null
    mowHeightInches: number | null
    difficulty: string
    clippings: 'mulch' | 'bag' | 'side'
    gateCode: string
    dog: string
    parking: string
    noGo: string
    notes: string
    custom: CustomForm
  }
}

export const propertyValues = (p?: Property): PropertyValues => ({
  property: {
    street: p?.street ?? '',
    unit: p?.unit ?? '',
    city: p?.city ?? '',
    state: p?.state ?? '',
    zip: p?.zip ?? '',
    lawnSquareFeet: p?.lawnSquareFeet ?? null,
    mowHeightInches: p?.mowHeightInches ?? null,
    difficulty: String(p?.difficulty ?? 1),
    clippings: p?.clippings ?? 'mulch',
    gateCode: '',
    dog: p?.dog ?? '',
    parking: p?.parking ?? '',
    noGo: p?.noGo ?? '',
    notes: p?.notes ?? '',
    custom: customForm(p?.custom),
  },
})

/** What goes to the server, but for custom fields. An empty gate code keeps the one that is there. */
export const propertyBody = ({ property: { gateCode, difficulty, custom: _, ...values } }: PropertyValues) => ({
  ...values,
  difficulty: Number(difficulty),
  ...(gateCode.trim() === '' ? {} : { gateCode }),
})

/** A property as it is sent, with its place when a person set it. */
export type PropertyFields = Omit<ReturnType<typeof propertyBody>, 'gateCode'> & {
  /** A new code, null to remove it, or the mark of the one that is kept. */
  gateCode?: string | null | { mark: string | null }
  pin: Pin
}

const clippings = [
  { value: 'mulch', label: 'Mulch' },
  { value: 'bag', label: 'Bag' },
  { value: 'side', label: 'Side discharge' },
] as const
const difficulties = [
  { value: '1', label: '1: flat and open' },
  { value: '2', label: '2: a few obstacles' },
  { value: '3', label: '3: beds and trees' },
  { value: '4', label: '4: slopes' },
  { value: '5', label: '5: steep or tight' },
]

/** What the form calls the fields that it sends. */
export const propertyWords: FieldWords<PropertyFields> = {
  street: 'Street',
  unit: 'Unit',
  city: 'City',
  state: 'State',
  zip: 'ZIP code',
  lawnSquareFeet: {
    label: 'Lawn size',
    show: (size) => (size === null ? null : `${size.toLocaleString('en-US')} sq ft`),
  },
  mowHeightInches: { label: 'Mow height', show: (height) => (height === null ? null : `${height} in`) },
  clippings: { label: 'Clippings', show: labelIn(clippings) },
  difficulty: { label: 'Difficulty', show: (grade) => labelIn(difficulties)(String(grade)) },
  gateCode: {
    label: 'Gate code',
    show: (code) =>
      typeof code === 'object' && code !== null ? code.mark && 'Another code, which is not shown here' : code,
  },
  dog: 'Dog',
  parking: 'Parking',
  noGo: 'Do not mow',
  notes: 'Notes for the crew',
  pin: { label: 'Pin on the map', show: (pin) => pin && `${pin.lat.toFixed(5)}, ${pin.lon.toFixed(5)}` },
}

/** What goes to the server of a pin: one that only stands in the middle of a ZIP code was set by nobody. */
export const pinBody = (pin: Pin): { latitude: number | null; longitude: number | null } =>
  pin && !pin.rough ? { latitude: pin.lat, longitude: pin.lon } : { latitude: null, longitude: null }

export const AddressFields = () => (
  <FieldGrid min={120}>
    <FormField<PropertyValues, 'property.street'> name="property.street">
      {(f) => <TextField label="Street" autoComplete="off" className="is-whole" placeholder="12 Oak Street" {...f} />}
    </FormField>
    <FormField<PropertyValues, 'property.unit'> name="property.unit">
      {(f) => <TextField label="Unit" optional {...f} />}
    </FormField>
    <FormField<PropertyValues, 'property.city'> name="property.city">
      {(f) => <TextField label="City" optional {...f} />}
    </FormField>
    <FormField<PropertyValues, 'property.state'> name="property.state">
      {(f) => <StateField label="State" optional {...f} />}
    </FormField>
    <FormField<PropertyValues, 'property.zip'> name="property.zip">
      {(f) => <TextField label="ZIP code" inputMode="numeric" optional {...f} />}
    </FormField>
  </FieldGrid>
)

export const LawnFields = () => (
  <FieldGrid min={190}>
    <FormField<PropertyValues, 'property.lawnSquareFeet'> name="property.lawnSquareFeet">
      {(f) => <NumberField label="Lawn size" unit="sq ft" step={500} min={0} optional {...f} />}
    </FormField>
    <FormField<PropertyValues, 'property.mowHeightInches'> name="property.mowHeightInches">
      {(f) => <NumberField label="Mow height" unit="in" step={0.25} min={0.5} max={8} optional {...f} />}
    </FormField>
    <FormField<PropertyValues, 'property.clippings'> name="property.clippings">
      {(f) => <SelectField label="Clippings" options={clippings} {...f} />}
    </FormField>
    <FormField<PropertyValues, 'property.difficulty'> name="property.difficulty">
      {(f) => <SelectField label="Difficulty" options={difficulties} {...f} />}
    </FormField>
  </FieldGrid>
)

/** What the crew must know before it opens the gate. */
export const AccessFields = ({ hasGateCode = false }: { hasGateCode?: boolean }) => (
  <FieldGrid min={200}>
    <FormField<PropertyValues, 'property.gateCode'> name="property.gateCode">
      {(f) => (
        <TextField
          label="Gate code"
          optional
          autoComplete="off"
          placeholder={hasGateCode ? '•••• is kept' : ''}
          hint={
            hasGateCode
              ? 'Leave empty to keep it, type to replace it.'
              : 'Kept encrypted. Only the office and the crew of the day can see it.'
          }
          {...f}
        />
      )}
    </FormField>
    <FormField<PropertyValues, 'property.dog'> name="property.dog">
      {(f) => <TextField label="Dog" optional hint="The crew sees it in red before they start" {...f} />}
    </FormField>
    <FormField<PropertyValues, 'property.parking'> name="property.parking">
      {(f) => <TextField label="Parking" optional {...f} />}
    </FormField>
    <FormField<PropertyValues, 'property.noGo'> name="property.noGo">
      {(f) => <TextField label="Do not mow" optional placeholder="Wildflowers behind the shed" {...f} />}
    </FormField>
    <CustomInputs record="property" />
    <FormField<PropertyValues, 'property.notes'> name="property.notes">
      {(f) => <TextAreaField label="Notes for the crew" optional className="is-whole" rows={2} {...f} />}
    </FormField>
  </FieldGrid>
)
