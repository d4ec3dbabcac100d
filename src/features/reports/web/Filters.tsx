import { usStates } from '../../../shared/states.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { useToday } from '../../accounts/web/session.ts'
import { skipReasonLabel, skipReasons } from '../../visits/rules.ts'
import type { ReportList, ReportSettings } from '../contract.ts'
import { groupingLabel, kindInfo, periodLabels, periodOf, periodsOf, type ReportKind, spanFor } from '../rules.ts'

type Choices = ReportList['choices']
type Props = {
  kind: ReportKind
  kinds: readonly ReportKind[]
  settings: ReportSettings
  choices: Choices | null
  onChange: (values: Record<string, string | null>) => void
}
const option = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })

/** A list of known things, the first of which takes the filter out. One that stands in the address and is not on the list stays choosable. */
const One = ({
  label,
  all,
  value,
  options,
  onChange,
}: {
  label: string
  all: string
  value: string | undefined
  options: readonly { value: string; label: string }[]
  onChange: (value: string | null) => void
}) => (
  <SelectField
    label={label}
    value={value ?? ''}
    placeholder={all}
    options={
      value && !options.some((one) => one.value === value)
        ? [...options, { value, label: 'The one that was chosen' }]
        : options
    }
    onChange={(next: string) => onChange(next || null)}
  />
)

export const Filters = ({ kind, kinds, settings, choices, onChange }: Props) => {
  const today = useToday()
  const { by, filters, days } = kindInfo[kind]
  const period = periodOf(kind, settings.period)
  const span = spanFor(kind, settings, today)
  const has = (name: (typeof filters)[number]) => filters.includes(name)
  const none: Choices = { crews: [], people: [], products: [], states: [], recipients: [] }
  const from = choices ?? none
  const states = [...new Set([...from.states, ...(settings.state ? [settings.state] : [])])]
  return (
    <div className="rp-filters">
      <SelectField
        label="Report"
        value={kind}
        options={kinds.map((one) => ({ value: one, label: kindInfo[one].title }))}
        onChange={(report: ReportKind) => onChange({ report, by: null, columns: null })}
      />
      <SelectField
        label={days === 'asOf' ? 'As of' : 'Period'}
        value={period}
        options={periodsOf(kind).map((one) => ({ value: one, label: periodLabels[one] }))}
        onChange={(value) =>
          onChange({
            period: value,
            ...(value === 'custom' ? { from: span.from, to: span.to } : { from: null, to: null }),
          })
        }
      />
      {period === 'custom' && days !== 'asOf' ? (
        <DateField
          label="From"
          value={settings.from ?? null}
          today={today}
          onChange={(day) => onChange({ from: day })}
        />
      ) : null}
      {period === 'custom' ? (
        <DateField
          label={days === 'asOf' ? 'Day' : 'To'}
          value={settings.to ?? null}
          today={today}
          onChange={(day) => onChange({ to: day })}
        />
      ) : null}
      {by.length > 0 ? (
        <SelectField
          label="Rows"
          value={settings.by ?? by[0] ?? null}
          options={by.map((one) => ({ value: one, label: groupingLabel[one] }))}
          onChange={(value) => onChange({ by: value, columns: null })}
        />
      ) : null}
      {has('crewId') ? (
        <One
          label="Crew"
          all="All crews"
          value={settings.crewId}
          options={[...from.crews.map(option), { value: 'none', label: 'Without a crew' }]}
          onChange={(crewId) => onChange({ crewId })}
        />
      ) : null}
      {has('reason') ? (
        <One
          label="Reason"
          all="All reasons"
          value={settings.reason}
          options={skipReasons.map((value) => ({ value, label: skipReasonLabel(value) }))}
          onChange={(reason) => onChange({ reason })}
        />
      ) : null}
      {has('state') && (states.length > 0 || kind === 'chemicals') ? (
        <One
          label="State"
          all="All states"
          value={settings.state}
          options={(kind === 'chemicals' ? Object.keys(usStates) : states).map((value) => ({
            value,
            label: usStates[value as keyof typeof usStates] ?? value,
          }))}
          onChange={(state) => onChange({ state })}
        />
      ) : null}
      {has('productId') && from.products.length > 0 ? (
        <One
          label="Product"
          all="All products"
          value={settings.productId}
          options={from.products.map(option)}
          onChange={(productId) => onChange({ productId })}
        />
      ) : null}
      {has('personId') ? (
        <One
          label="Person"
          all="Everybody"
          value={settings.personId}
          options={from.people.map(option)}
          onChange={(personId) => onChange({ personId })}
        />
      ) : null}
      {settings.customerId ? (
        <Button size="s" onClick={() => onChange({ customerId: null })}>
          Of all customers again
        </Button>
      ) : null}
    </div>
  )
}
