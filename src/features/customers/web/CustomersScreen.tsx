import { useSearchParams } from 'react-router'
import { ImportWizard } from '../../imports/web/ImportWizard.tsx'
import { CreateCustomer } from './CreateCustomer.tsx'
import { CustomerMap } from './CustomerMap.tsx'
import { ManageCustomers } from './ManageCustomers.tsx'
import './customers.css'

/** The hub of customers: its tabs, and the import as a way through the whole screen. */
export const CustomersScreen = ({ tab }: { tab: string }) => {
  const [params] = useSearchParams()
  const importId = params.get('import')
  if (tab === 'create') return <CreateCustomer />
  if (tab === 'map') return <CustomerMap />
  return importId ? <ImportWizard importId={importId === 'new' ? null : importId} /> : <ManageCustomers />
}
