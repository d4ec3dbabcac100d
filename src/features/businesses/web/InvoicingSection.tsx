import { paperWayNames, paperWays } from '../../../shared/paper-ways.ts'
import { hubPath } from '../../../shared/paths.ts'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { smsSegments } from '../../messages/rules.ts'
import type { BusinessSettings } from '../contract.ts'
import { reminderSteps, stepLabel } from '../reminders/rules.ts'
import { InvoiceLook } from './InvoiceLook.tsx'
import { Section } from './Section.tsx'

/** An invoice as a text, and what it costs. */
const TextedInvoice = ({ name }: { name: string }) => {
  const text = `${name}: INV-1042 for $55.00 is due Tue, Jun 9. See and pay: ${location.origin}/i/${'k7Q'.repeat(15).slice(0, 43)}`
  const { segments } = smsSegments(text)
  return (
    <p className="notice-preview is-whole">
      <span>{text}</span>
      <span className="hint">
        {text.length} characters, {segments === 1 ? '1 segment' : `${segments} segments`} of your plan. Texts keep your
        quiet hours. Who has no mobile number or replied STOP has e-mail instead; who wants it otherwise is set on the
        customer.
      </span>
    </p>
  )
}

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
      partPayments: s.partPayments,
      bankDebits: s.bankDebits,
      doorPayments: s.doorPayments,
      autopayNoticeDays: s.autopayNoticeDays as number | null,
      letterNoticeDays: s.letterNoticeDays as number | null,
      invoiceReminders: s.invoiceReminders as readonly number[],
      paperWay: s.paperWay,
    })}
    words={{
      autopayNoticeDays: {
        label: 'Autopay is announced',
        show: (days) => (days === null ? null : `${days} days before`),
      },
      letterNoticeDays: {
        label: 'New prices are announced',
        show: (days) => (days === null ? null : `${days} days before`),
      },
      termsDays: { label: 'Due after', show: (days) => (days === null ? null : `${days} days`) },
      invoiceMessage: 'Message',
      invoiceTerms: 'Terms',
      bankDebits: { label: 'Payments from a bank account', show: (on) => (on ? 'on' : 'off') },
      useCredit: { label: 'Credit pays by itself', show: (on) => (on ? 'on' : 'off') },
      partPayments: { label: 'Customers can pay a part', show: (on) => (on ? 'on' : 'off') },
      doorPayments: { label: 'Payments at the door', show: (on) => (on ? 'on' : 'off') },
      paperWay: { label: 'Invoices go by', show: (way) => paperWays[way] },
      invoiceReminders: { label: 'Reminders', show: (steps) => steps.map(stepLabel).join(', ') || 'off' },
    }}
    toChange={({ termsDays, invoiceReminders, autopayNoticeDays, letterNoticeDays, ...v }) => ({
      ...v,
      autopayNoticeDays: Math.round(autopayNoticeDays ?? 3),
      letterNoticeDays: Math.round(letterNoticeDays ?? 30),
      termsDays: Math.round(termsDays ?? 0),
      invoiceReminders: reminderSteps.filter((step) => invoiceReminders.includes(step)),
    })}
  >
    {({ control, watch }) => {
      const [message, terms, way] = watch(['invoiceMessage', 'termsDays', 'paperWay'])
      return (
        <>
          <div className="brand-fields">
            <FormField control={control} name="termsDays" needed="Type how many days; 0 is due at once.">
              {(f) => <NumberField {...f} label="Due after" unit="days" min={0} max={365} />}
            </FormField>
            <FormField control={control} name="autopayNoticeDays" needed="Type how many days, from 1 to 14.">
              {(f) => (
                <NumberField
                  {...f}
                  label="Autopay is announced"
                  unit="days before"
                  min={1}
                  max={14}
                  hint="A saved card or bank account is charged on the due day; its holder is told before, by mail or text."
                />
              )}
            </FormField>
            <FormField control={control} name="letterNoticeDays" needed="Type how many days, from 0 to 180.">
              {(f) => (
                <NumberField
                  {...f}
                  label="New prices are announced"
                  unit="days before"
                  min={0}
                  max={180}
                  hint="A price letter is about a day so far ahead, or later."
                />
              )}
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
          <FormField control={control} name="paperWay">
            {(f) => (
              <RadioField
                row
                label="Invoices, reminders, statements and receipts go by"
                options={paperWayNames.map((value) => ({ value, label: paperWays[value] }))}
                {...f}
              />
            )}
          </FormField>
          {way === 'email' ? null : <TextedInvoice name={settings.name} />}
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
                    : 'Between 9 am and 8 pm. They stop when the customer writes, also by text, pays a part or promises a day.'}{' '}
                  Who would have been reminded last month: the dry run under{' '}
                  <LinkTo href={hubPath('customers', 'automations')}>Automations</LinkTo>.
                </p>
              </div>
            )}
          </FormField>
          <FormField control={control} name="bankDebits">
            {(f) => (
              <CheckboxField
                {...f}
                label="Customers can pay from a bank account (ACH)"
                hint="Beside the card, on the same page; your card account must have ACH debits switched on. The money takes about 4 business days and can still come back: until then the invoice says “On its way”, and nobody is reminded or charged. Accounts that customers left are charged as agreed, also when this is off."
              />
            )}
          </FormField>
          <FormField control={control} name="partPayments">
            {(f) => (
              <CheckboxField
                {...f}
                label="Customers can pay a part of an invoice on its page"
                hint="From $1.00 up to all but $1.00; the rest stays open as before. Without it the page takes all that is open."
              />
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
          <FormField control={control} name="doorPayments">
            {(f) => (
              <CheckboxField
                {...f}
                label="Crews take cash and checks at the door"
                hint="Only people with the permission for it, which you give under Employees. They see what the customer owes, write a numbered receipt, and hold the money until the office confirms that it was handed in."
              />
            )}
          </FormField>
          <InvoiceLook settings={settings} color={settings.brandColor} message={message} termsDays={terms} />
        </>
      )
    }}
  </Section>
)
