import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import type { BusinessSettings } from '../contract.ts'
import { mostSuggestions, noTips, type Tips, tipsLabel } from '../tips/rules.ts'
import { Section } from './Section.tsx'

const kinds = [
  { value: 'percent', label: 'Percentages of the work' },
  { value: 'amount', label: 'Amounts' },
] as const

const places = Array.from({ length: mostSuggestions }, (_, at) => at)
const ordinals = ['First', 'Second', 'Third']

/** An empty place is none; the last one that is left cannot be emptied. */
const setAt = (values: readonly number[], at: number, value: number | null): number[] => {
  const next = places.flatMap((place) => (place === at ? (value ?? []) : (values[place] ?? [])))
  return next.length > 0 ? next : [...values]
}

const Rule = ({ value, onChange }: { value: Tips; onChange: (tips: Tips) => void }) => {
  const set = (part: Partial<Tips>) => onChange({ ...value, ...part })
  const isOn = value.kind !== 'off'
  return (
    <>
      <CheckboxField
        label="Customers can add a tip for the crew"
        hint="Before they pay on the page of an invoice. No tip is what stands there until they choose one; autopay never adds one."
        value={isOn}
        onChange={(on) => set({ kind: on ? 'percent' : 'off' })}
      />
      {isOn ? (
        <>
          <RadioField
            label="What is suggested"
            row
            value={value.kind as 'percent' | 'amount'}
            onChange={(kind) => set({ kind })}
            options={kinds}
          />
          <FieldGrid min={120}>
            {places.map((at) =>
              value.kind === 'percent' ? (
                <NumberField
                  key={`percent ${at}`}
                  label={ordinals[at] ?? ''}
                  optional={at > 0}
                  unit="%"
                  min={1}
                  max={50}
                  value={value.percents[at] ?? null}
                  onChange={(percent) =>
                    set({ percents: setAt(value.percents, at, percent === null ? null : Math.round(percent)) })
                  }
                />
              ) : (
                <MoneyField
                  key={`amount ${at}`}
                  label={ordinals[at] ?? ''}
                  optional={at > 0}
                  value={value.amountsCents[at] ?? null}
                  onChange={(cents) => set({ amountsCents: setAt(value.amountsCents, at, cents) })}
                />
              ),
            )}
          </FieldGrid>
          <p className="hint">
            A percentage is of the work, without sales tax. Beside these they can type an amount of their own. A tip is
            no income of yours and never taxed here: it stands as owed to the people who worked the visit, under
            Employees, Timesheets, for your payroll.
          </p>
          <p className="hint">
            Tips are wages for tax: pay out what was given, and withhold as your payroll does. Federal law lets no owner
            or manager keep any of it.
          </p>
        </>
      ) : null}
    </>
  )
}

/** Whether customers can give the crew a tip, for who sees money; off until somebody switches it on. */
export const TipsSection = ({ settings }: { settings: BusinessSettings }) =>
  settings.tips === null ? null : (
    <Section
      id="tips"
      title="Tips"
      lead="Something for the crew, on top of what is paid."
      settings={settings}
      saved="Tips saved"
      pick={(s) => ({ tips: s.tips as Tips })}
      words={{ tips: { label: 'Tips', show: tipsLabel } }}
      toChange={({ tips }) => ({
        tips: {
          kind: tips.kind,
          percents: [...(tips.percents.length > 0 ? tips.percents : noTips.percents)],
          amountsCents: [...(tips.amountsCents.length > 0 ? tips.amountsCents : noTips.amountsCents)],
        },
      })}
    >
      {({ control }) => (
        <FormField control={control} name="tips">
          {(f) => <Rule value={f.value} onChange={f.onChange} />}
        </FormField>
      )}
    </Section>
  )
