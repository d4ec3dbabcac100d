import { type Control, useFieldArray, useWatch } from 'react-hook-form'
import { Button } from '#src/ui/Button.tsx'
import { FieldGrid } from '#src/ui/FieldGrid.tsx'
import { FormField } from '#src/ui/FormField.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { IconPlus, IconTrash } from '#src/ui/icons.ts'
import { MoneyField } from '#src/ui/MoneyField.tsx'
import { NumberField } from '#src/ui/NumberField.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { SwitchField } from '#src/ui/SwitchField.tsx'
import type { ServiceDraft } from '../contract.ts'
import { type MeasuredBy, measureUnit, measureUnitLong, noMeasure } from '../measures/rules.ts'
import { matrixSizes, unitLabel } from '../rules.ts'
import { numberOf } from './numberOf.ts'
import { firstTiers } from './serviceValues.tsx'

/** By how much the buttons of a field go on: for the smallest price, and for the end of a rate. */
const steps: Record<MeasuredBy, readonly [number, number]> = { lawn: [500, 1000], beds: [50, 100], edges: [10, 50] }
/** So far a further rate holds at first. */
const further: Record<MeasuredBy, number> = { lawn: 15_000, beds: 1000, edges: 300 }

type Props = { control: Control<ServiceDraft> }

/** Minimum, rates by size and the factors of a price. */
export const PriceRuleFields = ({ control }: Props) => {
  const tiers = useFieldArray({ control, name: 'priceRule.tiers' })
  const rule = useWatch({ control, name: 'priceRule' })
  const unit = useWatch({ control, name: 'unit' })
  const measuredBy = useWatch({ control, name: 'measuredBy' })
  const bySize = rule.tiers.some((tier) => (tier.centsPerKsqft ?? 0) > 0)
  const addTier = () => {
    const last = rule.tiers.length - 1
    const before = rule.tiers[last - 1]?.upToSquareFeet ?? rule.sizeAtMinSquareFeet ?? matrixSizes[measuredBy][0]
    const rate = rule.tiers[last]?.centsPerKsqft ?? 200
    tiers.insert(last, { upToSquareFeet: before + further[measuredBy], centsPerKsqft: rate })
  }
  return (
    <>
      <SwitchField
        label={`The price grows with the ${measuredBy}`}
        hint={
          bySize
            ? `A property with ${noMeasure[measuredBy]} gets no price until the size is known.`
            : `The same price ${unitLabel[unit]}.`
        }
        value={bySize}
        onChange={(on) => tiers.replace(on ? firstTiers(measuredBy) : [{ upToSquareFeet: null, centsPerKsqft: 0 }])}
      />
      <FieldGrid min={150}>
        <FormField control={control} name="priceRule.minCents">
          {(f) => (
            <MoneyField
              label={bySize ? 'Smallest price' : 'Price'}
              {...numberOf(f)}
              unit={bySize ? '' : unitLabel[unit]}
            />
          )}
        </FormField>
        {bySize ? (
          <FormField control={control} name="priceRule.sizeAtMinSquareFeet">
            {(f) => (
              <NumberField
                label="Holds up to"
                unit={measureUnit[measuredBy]}
                step={steps[measuredBy][0]}
                {...numberOf(f)}
              />
            )}
          </FormField>
        ) : null}
        <FormField control={control} name="priceRule.roundToCents">
          {(f) => (
            <SelectField
              label="Round to"
              {...f}
              value={String(f.value)}
              onChange={(value) => f.onChange(Number(value))}
              options={[
                { value: '1', label: 'Exact cents' },
                { value: '50', label: '$0.50' },
                { value: '100', label: '$1' },
                { value: '500', label: '$5' },
              ]}
            />
          )}
        </FormField>
      </FieldGrid>
      {bySize ? (
        <fieldset className="svc-tiers">
          <legend className="ui-field__label">Above that, for each 1,000 {measureUnitLong[measuredBy]} more</legend>
          {tiers.fields.map((field, index) => {
            const isLast = index === tiers.fields.length - 1
            return (
              <div className="svc-tiers__row" key={field.id}>
                <FormField control={control} name={`priceRule.tiers.${index}.centsPerKsqft`}>
                  {(f) => <MoneyField label={`Rate ${index + 1}`} hideLabel {...numberOf(f)} />}
                </FormField>
                {isLast ? (
                  <span className="muted svc-tiers__rest">{index === 0 ? 'for any size' : 'for all above'}</span>
                ) : (
                  <>
                    <span className="muted">up to</span>
                    <FormField control={control} name={`priceRule.tiers.${index}.upToSquareFeet`}>
                      {(f) => (
                        <NumberField
                          label={`End of rate ${index + 1}`}
                          hideLabel
                          unit={measureUnit[measuredBy]}
                          step={steps[measuredBy][1]}
                          {...numberOf(f)}
                        />
                      )}
                    </FormField>
                    <IconButton
                      size="s"
                      label={`Remove rate ${index + 1}`}
                      icon={<IconTrash />}
                      onClick={() => tiers.remove(index)}
                    />
                  </>
                )}
              </div>
            )
          })}
          <Button size="s" kind="quiet" icon={<IconPlus />} onClick={addTier} disabled={tiers.fields.length >= 8}>
            Another rate for larger sizes
          </Button>
        </fieldset>
      ) : null}
      <details className="svc-more">
        <summary>Frequency, difficulty and first cut</summary>
        <FieldGrid min={120}>
          {(
            [
              ['weekly', 'Every week'],
              ['biweekly', 'Every 2 weeks'],
              ['monthly', 'Every month'],
              ['once', 'Once'],
            ] as const
          ).map(([name, label]) => (
            <FormField key={name} control={control} name={`priceRule.frequencyPercent.${name}`}>
              {(f) => <NumberField label={label} unit="%" step={5} {...numberOf(f)} />}
            </FormField>
          ))}
        </FieldGrid>
        <FieldGrid min={92}>
          {([0, 1, 2, 3, 4] as const).map((index) => (
            <FormField key={index} control={control} name={`priceRule.difficultyPercent.${index}`}>
              {(f) => <NumberField label={`Difficulty ${index + 1}`} unit="%" step={5} {...numberOf(f)} />}
            </FormField>
          ))}
          <FormField control={control} name="priceRule.firstCutPercent">
            {(f) => <NumberField label="First cut" unit="%" step={5} {...numberOf(f)} />}
          </FormField>
        </FieldGrid>
      </details>
    </>
  )
}
