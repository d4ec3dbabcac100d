import { linkTo } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import type { InvoiceBatch } from '../batch/contract.ts'
import { invoiceName } from '../rules.ts'

/** Which invoices of a batch came back, and where their addresses are corrected. */
export const LostOfBatch = ({ batch }: { batch: InvoiceBatch }) =>
  batch.lostCount === 0 ? null : (
    <Banner tone="warn" title={`${batch.lostCount.toLocaleString('en-US')} did not arrive.`}>
      <ul className="batch-lost">
        {batch.lost.map(({ id, number, customer }) => (
          <li key={id}>
            <LinkTo href={linkTo.invoice(id)}>{invoiceName(number)}</LinkTo> to {customer.name}.{' '}
            <LinkTo href={linkTo.customer(customer.id)}>Correct the address or number of {customer.name}</LinkTo>, then
            send it again.
          </li>
        ))}
      </ul>
      {batch.lostCount > batch.lost.length
        ? `And ${(batch.lostCount - batch.lost.length).toLocaleString('en-US')} more.`
        : null}
    </Banner>
  )
