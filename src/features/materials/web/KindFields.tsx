import { usStates } from '../../../shared/states.ts'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import type { MaterialFacts } from '../calculation/rules.ts'
import { grasses, grassLabel, seedingLabel, seedings, seedRange } from '../formulas/rules.ts'
import { lawOf, mostNitrogen } from '../law/rules.ts'
import { amountText, isBulk } from '../rules.ts'
import { type CalculatedKind, middleRate, type Values } from './values.ts'

type Props = {
  kind: CalculatedKind
  values: Values
  material: MaterialFacts
  /** By field. */
  errors: Readonly<Record<string, string>>
  /** The state is the property's. */
  stateIsFixed: boolean
  onChange: (values: Values) => void
}
type NumberName = { [K in keyof Values]: Values[K] extends number | null ? K : never }[keyof Values]

/** What is chosen for a kind of material. */
export const KindFields = ({ kind, values, material, errors, stateIsFixed, onChange }: Props) => {
  const set = (more: Partial<Values>) => onChange({ ...values, ...more })
  const number = (name: NumberName) => ({
    value: values[name],
    // an empty field says only below that it is missing, once something stands in it what is wrong with it
    error: values[name] === null ? undefined : errors[name],
    onChange: (value: number | null) => set({ [name]: value }),
    min: 0,
  })
  if (kind === 'fertilizer') {
    const most = mostNitrogen(values.state || null, material.slowPercent, values.on)
    return (
      <>
        <FieldGrid min={180}>
          <NumberField
            label="Nitrogen for 1,000 sq ft"
            unit="lb"
            step={0.1}
            hint={most === null ? undefined : `${lawOf(values.state)?.name} allows ${amountText(most)} lb of this one.`}
            {...number('targetPounds')}
          />
          <SelectField
            label="State"
            value={values.state}
            disabled={stateIsFixed}
            onChange={(state) => set({ state })}
            hint={stateIsFixed ? 'From the property.' : 'For its fertilizer law.'}
            options={[
              { value: '', label: 'Not set' },
              ...Object.entries(usStates).map(([value, label]) => ({ value, label })),
            ]}
          />
          <DateField
            label="Application date"
            value={values.on}
            error={errors.on}
            onChange={(on) => set({ on: on ?? values.on })}
          />
        </FieldGrid>
        {lawOf(values.state)?.phosphateAbove === null || !lawOf(values.state) ? null : (
          <CheckboxField
            label="A soil test asks for phosphorus, or the lawn is new"
            value={values.phosphorusAsked}
            error={errors.phosphorusAsked}
            onChange={(phosphorusAsked) => set({ phosphorusAsked })}
          />
        )}
      </>
    )
  }
  if (kind === 'seed') {
    const [low, high] = seedRange(values.grass, values.seeding)
    return (
      <FieldGrid min={180}>
        <SelectField
          label="Grass"
          value={values.grass}
          onChange={(grass) => set({ grass, ratePounds: middleRate(grass, values.seeding) })}
          options={grasses.map((value) => ({ value, label: grassLabel[value] }))}
        />
        <SelectField
          label="For"
          value={values.seeding}
          onChange={(seeding) => set({ seeding, ratePounds: middleRate(values.grass, seeding) })}
          options={seedings.map((value) => ({ value, label: seedingLabel[value] }))}
        />
        <NumberField
          label="Seed for 1,000 sq ft"
          unit="lb"
          step={0.5}
          hint={`Usually ${amountText(low)} to ${amountText(high)} lb.`}
          {...number('ratePounds')}
        />
        <NumberField label="Extra" unit="%" hint="Cornell: buy about 20% more." {...number('extraPercent')} />
      </FieldGrid>
    )
  }
  if (isBulk(kind))
    return (
      <FieldGrid min={180}>
        <NumberField label="Depth" unit="in" step={0.5} {...number('depthInches')} />
        <NumberField label="Settling and waste" unit="%" {...number('wastePercent')} />
      </FieldGrid>
    )
  if (kind === 'sod') return <NumberField label="Waste" unit="%" hint="5 to 10%." {...number('wastePercent')} />
  if (kind === 'lime')
    return (
      <NumberField
        label="Lime for 1,000 sq ft"
        unit="lb"
        step={5}
        hint="A bag of 50 lb, unless a soil test says otherwise."
        {...number('poundsPerThousand')}
      />
    )
  const label = material.label
  return (
    <FieldGrid min={180}>
      <NumberField
        label="Product for 1,000 sq ft"
        unit={label?.unit ?? ''}
        step={0.1}
        hint={
          label?.high
            ? `The label: ${label.low === null ? 'up to ' : `${amountText(label.low, 4)} to `}${amountText(label.high, 4)} ${label.unit}.`
            : undefined
        }
        {...number('rate')}
      />
      <NumberField label="Water for 1,000 sq ft" unit="gal" step={0.25} {...number('carrierGallons')} />
      <NumberField label="Tank size" optional unit="gal" step={5} {...number('tankGallons')} />
    </FieldGrid>
  )
}
