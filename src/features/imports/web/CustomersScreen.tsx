import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { recordParam } from '../../../shared/links.ts'
import { lazyAhead } from '../../../ui/lazyAhead.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { ManageCustomers } from '../../customers/web/ManageCustomers.tsx'

// The list is what most come for; the map brings much that it does not need.
const CreateCustomer = lazyAhead(() => import('../../customers/web/CreateCustomer.tsx').then((m) => m.CreateCustomer))
const CustomerMap = lazy(() => import('../../customers/web/CustomerMap.tsx').then((m) => ({ default: m.CustomerMap })))
const ImportWizard = lazy(() => import('./ImportWizard.tsx').then((m) => ({ default: m.ImportWizard })))

/** The hub of customers: its tabs, and the import as a way through the whole screen. It stands here because an import knows customers, not the other way round. */
export const CustomersScreen = ({ tab }: { tab: string }) => {
  const [params] = useSearchParams()
  const importId = params.get(recordParam.import)
  if (tab === 'create') return <CreateCustomer />
  if (tab !== 'map' && !importId) return <ManageCustomers />
  return (
    <Suspense fallback={<PanelSkeleton />}>
      {tab === 'map' ? <CustomerMap /> : <ImportWizard importId={importId === 'new' ? null : importId} />}
    </Suspense>
  )
}
