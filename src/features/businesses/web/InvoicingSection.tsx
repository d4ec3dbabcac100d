import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import type { BusinessSettings } from '../contract.ts'
import { BusinessHead } from './BusinessHead.tsx'
import { Section } from './Section.tsx'

const color = /^#[0-9a-f]{6}$/i

/** What stands on every invoice, with the head of one as it will look. */
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
      brandColor: s.brandColor,
    })}
    toChange={(v) => ({ ...v, termsDays: Math.round(v.termsDays ?? 0) })}
  >
    {({ control, watch }) => {
      const [brand, message, terms] = watch(['brandColor', 'invoiceMessage', 'termsDays'])
      const shown = color.test(brand) ? brand : settings.brandColor
      return (
        <>
          <div className="brand-fields">
            <FormField control={control} name="termsDays">
              {(f) => <NumberField {...f} label="Due after" unit="days" min={0} max={365} />}
            </FormField>
            <FormField control={control} name="brandColor">
              {(f) => (
                <TextField
                  {...f}
                  label="Your color"
                  maxLength={7}
                  spellCheck={false}
                  before={
                    <input
                      type="color"
                      className="brand-fields__well"
                      aria-label="Pick your color"
                      value={shown}
                      onChange={(event) => f.onChange(event.target.value)}
                    />
                  }
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
          <figure className="invoice-look">
            <figcaption className="hint">How your customers see it</figcaption>
            <div className="invoice-look__sheet">
              <BusinessHead as="p" name={settings.name} color={shown} logoUrl={settings.logoUrl}>
                {settings.phone ? formatPhone(settings.phone) : null}
              </BusinessHead>
              <div className="invoice-look__in">
                <span className="muted">Amount due</span>
                <b className="num">{formatCents(5500)}</b>
                <span>{terms === 0 ? 'Due at once' : `Due in ${terms ?? settings.termsDays} days`}</span>
                {message.trim() ? <q>{message.trim()}</q> : null}
              </div>
            </div>
          </figure>
        </>
      )
    }}
  </Section>
)
