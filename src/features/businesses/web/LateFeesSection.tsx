import { formatDay } from '../../../shared/dates.ts'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import type { BusinessSettings } from '../contract.ts'
import {
  isCapBelowFees,
  type LateFees,
  lateFeesLabel,
  type SecondFee,
  secondFeeAfter,
  secondFeeProblem,
} from '../latefees/rules.ts'
import { Section } from './Section.tsx'

type RuleProps = {
  value: LateFees
  from: string | null
  secondFrom: string | null
  error?: string | undefined
  onChange: (rule: LateFees) => void
}

const kinds = [
  { value: 'off', label: 'None' },
  { value: 'percent', label: 'A percentage' },
  { value: 'fixed', label: 'A fixed amount' },
] as const

type Sum = { percent: number; fixedCents: number }
type SumProps = {
  fee: Sum & { kind: string }
  labels: { percent: string; amount: string }
  onChange: (part: Partial<Sum>) => void
}

const firstLabels = { percent: 'Percent of what is open', amount: 'Amount' }
const secondLabels = { percent: 'Second percent of what is open', amount: 'Second amount' }

/** What a fee comes to: a part of what is open, or an amount. */
const FeeSum = ({ fee, labels, onChange }: SumProps) =>
  fee.kind === 'percent' ? (
    <NumberField
      label={labels.percent}
      unit="%"
      step={0.5}
      min={0.01}
      max={25}
      value={fee.percent}
      onChange={(percent) => onChange({ percent: percent ?? 0 })}
      error={fee.percent > 0 ? undefined : 'More than 0%'}
    />
  ) : (
    <MoneyField
      label={labels.amount}
      value={fee.fixedCents}
      onChange={(cents) => onChange({ fixedCents: cents ?? 0 })}
      error={fee.fixedCents > 0 ? undefined : 'More than $0.00'}
    />
  )

type SecondProps = { rule: LateFees; second: SecondFee; onChange: (second: SecondFee) => void }

const Second = ({ rule, second, onChange }: SecondProps) => {
  const set = (part: Partial<SecondFee>) => onChange({ ...second, ...part })
  return (
    <>
      <RadioField
        label="Second fee"
        row
        value={second.kind}
        onChange={(kind) => set({ kind })}
        options={[
          { value: 'fixed', label: 'A fixed amount' },
          { value: 'percent', label: 'A percentage' },
        ]}
      />
      <FieldGrid min={180}>
        <FeeSum fee={second} labels={secondLabels} onChange={set} />
        <NumberField
          label="From so many days late"
          unit="days"
          min={2}
          max={365}
          value={second.fromDays}
          onChange={(days) => set({ fromDays: Math.round(days ?? 0) })}
          error={secondFeeProblem(rule) ?? undefined}
        />
      </FieldGrid>
    </>
  )
}

const Rule = ({ value, from, secondFrom, error, onChange }: RuleProps) => {
  const set = (part: Partial<LateFees>) => onChange({ ...value, ...part })
  return (
    <>
      <RadioField
        label="Late fee"
        row
        value={value.kind}
        onChange={(kind) => set({ kind })}
        options={kinds}
        error={error}
      />
      {value.kind === 'off' ? null : (
        <>
          <FieldGrid min={180}>
            <FeeSum fee={value} labels={firstLabels} onChange={set} />
            <NumberField
              label="Days of grace"
              unit="days"
              min={0}
              max={90}
              value={value.graceDays}
              onChange={(days) => set({ graceDays: Math.round(days ?? 0) })}
            />
            {value.kind === 'percent' ? (
              <MoneyField
                label="At least"
                optional
                value={value.minimumCents === 0 ? null : value.minimumCents}
                onChange={(cents) => set({ minimumCents: cents ?? 0 })}
              />
            ) : null}
            <MoneyField
              label="In all at most"
              optional
              value={value.capCents}
              onChange={(cents) => set({ capCents: cents === 0 ? null : cents })}
              hint="All late fees of one invoice"
            />
          </FieldGrid>
          <CheckboxField
            label="A second fee for who still has not paid"
            value={value.second !== null}
            onChange={(wanted) => set({ second: wanted ? secondFeeAfter(value) : null })}
          />
          {value.second ? <Second rule={value} second={value.second} onChange={(second) => set({ second })} /> : null}
          {isCapBelowFees(value) ? (
            <p className="hint">
              Less than both fees is charged in all: raise “In all at most”, or leave it empty, to charge the second in
              full.
            </p>
          ) : null}
          <CheckboxField
            label="Again every 30 days"
            value={value.repeats}
            onChange={(repeats) => set({ repeats })}
            hint={
              value.second
                ? 'The second fee, while the invoice stays open. Without this each is charged once.'
                : 'While the invoice stays open. Without this it is charged once.'
            }
          />
          <p className="hint">
            {lateFeesLabel(value)}.{' '}
            {from
              ? `For invoices issued since ${formatDay(from, { year: true })}. `
              : 'For invoices issued from today on. '}
            {value.second && from && from !== secondFrom
              ? `The second fee: for invoices issued ${secondFrom ? `since ${formatDay(secondFrom, { year: true })}` : 'from today on'}. `
              : ''}
            Charged between 9 am and 8 pm as an invoice of its own, told with a reminder. Never while reminders of an
            invoice are stopped, a promised day is to come, or the customer's invoices are on hold. Where a customer
            wrote or paid a part since they were last asked, the fee waits under Needs you: you charge it or let it go.
          </p>
          <p className="hint">
            The fee must stand in your terms above before it can be switched on. Many states cap late fees: check what
            holds in yours.
          </p>
        </>
      )}
    </>
  )
}

/** What paying late costs, for who sees money; off until somebody switches it on. */
export const LateFeesSection = ({ settings }: { settings: BusinessSettings }) =>
  settings.lateFees === null ? null : (
    <Section
      id="late-fees"
      title="Late fees"
      lead="What paying late costs. An invoice that was issued never changes: the fee is an invoice of its own, and one tap waives it."
      settings={settings}
      saved="Late fees saved"
      pick={(s) => ({ lateFees: s.lateFees as LateFees })}
      words={{ lateFees: { label: 'Late fees', show: lateFeesLabel } }}
      toChange={(v) => ({ lateFees: v.lateFees })}
    >
      {({ control }) => (
        <FormField control={control} name="lateFees">
          {(f) => (
            <Rule
              value={f.value}
              from={settings.lateFeesFrom}
              secondFrom={settings.secondFeeFrom}
              error={f.error}
              onChange={f.onChange}
            />
          )}
        </FormField>
      )}
    </Section>
  )
