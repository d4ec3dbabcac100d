import { formatDay } from '../../../shared/dates.ts'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import {
  bpsOf,
  type CardLaw,
  checkLaw,
  discountLabel,
  discountLaw,
  mostDiscountBps,
  percentOf,
  surchargeLaw,
  usualDiscountBps,
} from '../cashdiscount/rules.ts'
import type { BusinessSettings } from '../contract.ts'
import { Section } from './Section.tsx'

const Law = ({ law }: { law: CardLaw }) => (
  <>
    {law.says} ({law.source}, as of {formatDay(law.asOf, { year: true })}.)
  </>
)

const Rule = ({ value, onChange, state }: { value: number; onChange: (bps: number) => void; state: string | null }) => (
  <>
    <CheckboxField
      label="Less for who pays an invoice in full by bank, check or cash"
      hint="The page of the invoice says what it comes to before they pay, and whoever records a payment sees it too."
      value={value > 0}
      onChange={(on) => onChange(on ? usualDiscountBps : 0)}
    />
    {value > 0 ? (
      <>
        <NumberField
          label="Discount"
          unit="%"
          min={percentOf(1)}
          max={percentOf(mostDiscountBps)}
          value={percentOf(value)}
          onChange={(percent) => percent !== null && onChange(bpsOf(percent))}
        />
        <p className="hint">
          It is a credit note over the invoice, with its sales tax in proportion. When money of such a payment goes back
          and the invoice is owed again, the discount goes back in the same proportion. Autopay from a bank account
          charges less the discount and says so in its notice; a card is charged in full.
        </p>
      </>
    ) : null}
    <p className="hint">
      <Law law={discountLaw} />
    </p>
    <p className="hint">
      Cards are never charged more here: whether a card is credit or debit is known only once it was charged, and no
      debit card may be charged more. <Law law={surchargeLaw(state)} />
    </p>
    <p className="hint">{checkLaw}</p>
  </>
)

/** What is taken off for paying without a card, for who sees money; off until somebody switches it on. Decision 037. */
export const CashDiscountSection = ({ settings }: { settings: BusinessSettings }) =>
  settings.cashDiscountBps === null ? null : (
    <Section
      id="cash-discount"
      title="Paying without a card"
      lead="A discount for bank, check and cash, in place of a fee on cards."
      settings={settings}
      saved="Discount saved"
      pick={(s) => ({ cashDiscountBps: s.cashDiscountBps ?? 0 })}
      words={{ cashDiscountBps: { label: 'Discount', show: discountLabel } }}
      toChange={({ cashDiscountBps }) => ({ cashDiscountBps })}
    >
      {({ control }) => (
        <FormField control={control} name="cashDiscountBps">
          {(f) => <Rule value={f.value} onChange={f.onChange} state={settings.state} />}
        </FormField>
      )}
    </Section>
  )
