import { RadioField } from '#src/ui/RadioField.tsx'
import type { JobRecord } from '../contract.ts'

type Billing = JobRecord['billing']

/** How the work of a job is paid for, in a few words. */
export const billingWords: Record<Billing, string> = {
  per_visit: 'Per visit',
  flat: 'By contract',
  none: 'Not billed',
}

type Props = {
  value: Billing
  onChange: (billing: Billing) => void
  /** The heading above says it already. */
  hideLabel?: boolean
}

/** Whether each finished visit is a line to invoice, or money comes another way or not at all. */
export const BillingField = ({ value, onChange, hideLabel = false }: Props) => (
  <RadioField
    label="Billing"
    hideLabel={hideLabel}
    value={value}
    onChange={onChange}
    options={[
      { value: 'per_visit', label: billingWords.per_visit, hint: 'Each finished visit waits to be invoiced.' },
      {
        value: 'flat',
        label: billingWords.flat,
        hint: 'No visit waits to be invoiced: a billing plan or your own invoice covers the work. It still counts as earned.',
      },
      {
        value: 'none',
        label: billingWords.none,
        hint: 'Work for free, such as a warranty or your own yard. It earns nothing.',
      },
    ]}
  />
)
