import { lazy, Suspense } from 'react'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import './facts.css'

const CustomerFacts = lazy(() => import('./CustomerFacts.tsx').then((m) => ({ default: m.CustomerFacts })))

/** Beside a conversation, where there is room. */
export const FactsAside = ({ customerId }: { customerId: string }) => (
  <section className="talks__facts" aria-label="About the customer">
    <Suspense fallback={<PanelSkeleton />}>
      <CustomerFacts customerId={customerId} />
    </Suspense>
  </section>
)

/** Over it, where there is none. */
export const FactsDialog = ({
  customerId,
  name,
  onClose,
}: {
  customerId: string
  name: string
  onClose: () => void
}) => (
  <Dialog open onClose={onClose} title={`About ${name}`}>
    <Suspense fallback={<PanelSkeleton />}>
      <CustomerFacts customerId={customerId} />
    </Suspense>
  </Dialog>
)
