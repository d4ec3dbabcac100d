import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { lazyAhead } from '../../../ui/lazyAhead.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { Composer } from './Composer.tsx'
import { contactQuery } from './data.ts'

const Thread = lazyAhead(() => import('./Thread.tsx').then((m) => m.Thread))

/** Mail and texts with one customer inside their record: write at the top, newest below. */
export const CustomerMessages = ({ customerId }: { customerId: string }) => {
  const found = useQuery(contactQuery(customerId))
  const contact = found.data
  if (found.isError && !contact)
    return <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  if (!contact) return <PanelSkeleton />
  return (
    <div className="customer-messages">
      <Composer key={contact.id} contact={contact} preferred="sms" />
      <Suspense fallback={<PanelSkeleton />}>
        <Thread who={contact.id} name={contact.name} newestFirst />
      </Suspense>
    </div>
  )
}
