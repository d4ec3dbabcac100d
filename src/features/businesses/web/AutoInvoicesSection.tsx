import { dayOf, formatMinute, minuteOfDay, weekdayNames } from '../../../shared/dates.ts'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import {
  type AutoInvoices,
  autoInvoiceRhythms,
  autoInvoicesLabel,
  monthDayLabel,
  nextTurnLabel,
} from '../autoinvoices/rules.ts'
import type { BusinessSettings } from '../contract.ts'
import { Section } from './Section.tsx'

const rhythmLabels: Record<AutoInvoices['rhythm'], string> = {
  off: 'Off',
  daily: 'Every day',
  weekly: 'Every week',
  monthly: 'Every month',
}

const upTo = (last: number, label: (n: number) => string, first = 0) =>
  Array.from({ length: last - first + 1 }, (_, at) => ({ value: String(first + at), label: label(first + at) }))

const hours = upTo(23, (hour) => formatMinute(hour * 60))
const weekdays = upTo(6, (weekday) => weekdayNames[weekday] ?? '')
const monthDays = upTo(31, monthDayLabel, 1)

type RuleProps = { value: AutoInvoices; timeZone: string; onChange: (rule: AutoInvoices) => void }

const Rule = ({ value, timeZone, onChange }: RuleProps) => {
  const set = (part: Partial<AutoInvoices>) => onChange({ ...value, ...part })
  const { rhythm } = value
  const now = new Date()
  return (
    <>
      <RadioField
        label="Invoice finished visits automatically"
        row
        value={rhythm}
        onChange={(next) => set({ rhythm: next })}
        options={autoInvoiceRhythms.map((one) => ({ value: one, label: rhythmLabels[one] }))}
      />
      {rhythm === 'off' ? (
        <p className="hint">Off: invoices of finished visits are made when you press “Invoice finished visits”.</p>
      ) : (
        <>
          <FieldGrid min={180}>
            <SelectField
              label="At"
              options={hours}
              value={String(value.hour)}
              onChange={(hour) => set({ hour: Number(hour) })}
            />
            <SelectField
              label="Weekly invoices on"
              options={weekdays}
              value={String(value.weekday)}
              onChange={(weekday) => set({ weekday: Number(weekday) })}
            />
            <SelectField
              label="Monthly invoices on"
              options={monthDays}
              value={String(value.monthDay)}
              onChange={(monthDay) => set({ monthDay: Number(monthDay) })}
            />
          </FieldGrid>
          <CheckboxField
            label="Send them at once"
            value={value.send}
            onChange={(send) => set({ send })}
            hint="By mail or text, as each customer has it. Without this they wait as drafts until you look them over."
          />
          <p className="hint">
            {`Invoices are made ${autoInvoicesLabel(value)}. Next: ${nextTurnLabel({ ...value, rhythm }, dayOf(now, timeZone), minuteOfDay(now, timeZone))}. `}
            A customer can be invoiced at another pace or never automatically: that is set on the customer. What has no
            price or is on hold is left out, and you are told.
          </p>
        </>
      )}
    </>
  )
}

/** When finished visits are invoiced without anybody pressing, for who sees money; off until somebody switches it on. */
export const AutoInvoicesSection = ({ settings }: { settings: BusinessSettings }) =>
  settings.autoInvoices === null ? null : (
    <Section
      id="auto-invoices"
      title="Automatic invoices"
      lead="The same as “Invoice finished visits”, at a time that you choose: one invoice a customer, or as each customer has it."
      settings={settings}
      saved="Automatic invoices saved"
      pick={(s) => ({ autoInvoices: s.autoInvoices as AutoInvoices })}
      words={{ autoInvoices: { label: 'Automatic invoices', show: autoInvoicesLabel } }}
      toChange={(v) => ({ autoInvoices: v.autoInvoices })}
    >
      {({ control }) => (
        <FormField control={control} name="autoInvoices">
          {(f) => <Rule value={f.value} timeZone={settings.timeZone} onChange={f.onChange} />}
        </FormField>
      )}
    </Section>
  )
