import { useQuery } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { formatCents } from '../../../shared/money.ts'
import { useMay } from '../../accounts/web/session.ts'
import { correctionsApi } from '../../payments/corrections/contract.ts'
import type { JobRecord } from '../contract.ts'

type Job = Pick<JobRecord, 'id' | 'customerId' | 'quoteId'>

/** What of deposits for the work of a job is left, and where it goes when the job ends. */
export const DepositLeft = ({ job }: { job: Job }) => {
  const may = useMay()
  const { data } = useQuery({
    queryKey: ['customers', 'credits', job.customerId],
    queryFn: ({ signal }) => call(correctionsApi.listCredits, { params: { id: job.customerId } }, { signal }),
    enabled: may(correctionsApi.listCredits),
  })
  const left = (data?.items ?? []).filter(
    (one) => one.restCents > 0 && (one.job?.id === job.id || (one.quote !== null && one.quote.id === job.quoteId)),
  )
  return left.map(({ paymentId, restCents, quote }) => (
    <p key={paymentId}>
      {quote
        ? `${formatCents(restCents)} of the deposit for Q-${quote.number} is left. Other jobs of the quote go on using it; when this was the last one, give it back or keep it as their credit on the quote.`
        : `${formatCents(restCents)} of the deposit for this job is left. It goes on no invoice by itself then: put it on another one or give it back at the customer.`}
    </p>
  ))
}
