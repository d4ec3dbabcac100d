import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { recordParam } from '../../../shared/links.ts'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { CreateCustomer } from './CreateCustomer.tsx'
import { CustomerMap } from './CustomerMap.tsx'
import { ManageCustomers } from './ManageCustomers.tsx'
import './customers.css'

const ImportWizard = lazy(() => import('../../imports/web/ImportWizard.tsx').then((m) => ({ default: m.ImportWizard })))

/** The hub of customers: its tabs, and the import as a way through the whole screen. */
export const CustomersScreen = ({ tab }: { tab: string }) => {
  const [params] = useSearchParams()
  const importId = params.get(recordParam.import)
  if (tab === 'create') return <CreateCustomer />
  if (tab === 'map') return <CustomerMap />
  if (!importId) return <ManageCustomers />
  return (
    <Suspense fallback={<PanelSkeleton />}>
      <ImportWizard importId={importId === 'new' ? null : importId} />
    </Suspense>
  )
}
