import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { recordParam } from '../../../shared/links.ts'
import { lazyAhead, lazyPart } from '../../../ui/lazyAhead.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { ManageCustomers } from '../../customers/web/ManageCustomers.tsx'
import { jobEditsApi } from '../../jobs/bulk/contract.ts'

// The list is what most come for; the map brings much that it does not need.
const CreateCustomer = lazyAhead(() => import('../../customers/web/CreateCustomer.tsx').then((m) => m.CreateCustomer))
const CustomerMap = lazy(() => import('../../customers/web/CustomerMap.tsx').then((m) => ({ default: m.CustomerMap })))
const ImportWizard = lazy(() => import('./ImportWizard.tsx').then((m) => ({ default: m.ImportWizard })))
const AssignCustomers = lazyPart(() => import('../../jobs/bulk/web/AssignCustomers.tsx').then((m) => m.AssignCustomers))

/** The hub of customers: its tabs, and the import as a way through the whole screen. It stands here because an import knows customers and jobs, not the other way round. */
export const CustomersScreen = ({ tab }: { tab: string }) => {
  const [params] = useSearchParams()
  const assign = useMay()(jobEditsApi.create) ? AssignCustomers : undefined
  const importId = params.get(recordParam.import)
  if (tab === 'create') return <CreateCustomer />
  if (tab !== 'map' && !importId) return <ManageCustomers assign={assign} />
  return (
    <Suspense fallback={<PanelSkeleton />}>
      {tab === 'map' ? (
        <CustomerMap assign={assign} />
      ) : (
        <ImportWizard importId={importId === 'new' ? null : importId} />
      )}
    </Suspense>
  )
}
