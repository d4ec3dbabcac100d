import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import type { BusinessSettings } from '../contract.ts'
import { reminderSteps, stepLabel } from '../reminders/rules.ts'
import { InvoiceLook } from './InvoiceLook.tsx'
import { Section } from './Section.tsx'

/** What stands on every invoice, with one as it will look. */
export const InvoicingSection = ({ settings }: { settings: BusinessSettings }) => (
  <Section
    id="invoicing"
    title="Invoices"
    lead="New invoices take these; what was issued before keeps its own."
    settings={settings}
    saved="Invoices saved"
    pick={(s) => ({
      termsDays: s.termsDays as number | null,
      invoiceMessage: s.invoiceMessage,
      invoiceTerms: s.invoiceTerms,
      useCredit: s.useCredit,
      invoiceReminders: s.invoiceReminders as readonly number[],
    })}
    words={{
      termsDays: { label: 'Due after', show: (days) => (days === null ? null : `${days} days`) },
      invoiceMessage: 'Message',
      invoiceTerms: 'Terms',
      useCredit: { label: 'Credit pays by itself', show: (on) => (on ? 'on' : 'off') },
      invoiceReminders: { label: 'Reminders', show: (steps) => steps.map(stepLabel).join(', ') || 'off' },
    }}
    toChange={({ termsDays, invoiceReminders, ...v }) => ({
      ...v,
      termsDays: Math.round(termsDays ?? 0),
      invoiceReminders: reminderSteps.filter((step) => invoiceReminders.includes(step)),
    })}
  >
    {({ control, watch }) => {
      const [message, terms] = watch(['invoiceMessage', 'termsDays'])
      return (
        <>
          <div className="brand-fields">
            <FormField control={control} name="termsDays" needed="Type how many days; 0 is due at once.">
              {(f) => <NumberField {...f} label="Due after" unit="days" min={0} max={365} />}
            </FormField>
          </div>
          <FormField control={control} name="invoiceMessage">
            {(f) => (
              <TextAreaField
                {...f}
                label="Message"
                optional
                rows={2}
                maxLength={1000}
                placeholder="Thank you for trusting us with your lawn."
              />
            )}
          </FormField>
          <FormField control={control} name="invoiceTerms">
            {(f) => (
              <TextAreaField
                {...f}
                label="Terms"
                optional
                rows={3}
                maxLength={4000}
                hint="At the foot of each invoice: how to pay by check, what happens when it is late."
              />
            )}
          </FormField>
          <FormField control={control} name="invoiceReminders">
            {(f) => (
              <div className="work-days">
                <h3>Reminders of open invoices</h3>
                <FilterChips
                  label="Reminders of open invoices"
                  chips={reminderSteps.map((step) => ({ value: String(step), label: stepLabel(step) }))}
                  values={f.value.map(String)}
                  onChange={(steps) => f.onChange(reminderSteps.filter((step) => steps.includes(String(step))))}
                />
                <p className="hint">
                  {f.value.length === 0
                    ? 'Off: nobody is reminded by itself.'
                    : 'By mail, between 9 am and 8 pm. They stop when the customer writes, pays a part or promises a day.'}
                </p>
              </div>
            )}
          </FormField>
          <FormField control={control} name="useCredit">
            {(f) => (
              <CheckboxField
                {...f}
                label="Credit pays invoices by itself"
                hint="What a customer paid too much, or was credited, goes on their oldest open invoice and on each new one. A deposit waits for its job either way."
              />
            )}
          </FormField>
          <InvoiceLook settings={settings} color={settings.brandColor} message={message} termsDays={terms} />
        </>
      )
    }}
  </Section>
)
