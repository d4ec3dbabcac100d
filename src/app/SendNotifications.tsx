import { useQuery } from '@tanstack/react-query'
import { CustomerFilterPicker } from '../features/customers/web/CustomerFilterPicker.tsx'
import { findCustomers } from '../features/invoices/web/data.ts'
import { crewsQuery } from '../features/jobs/web/data.ts'
import { SendNotificationsScreen } from '../features/mailings/web/SendNotificationsScreen.tsx'
import { servicesQuery } from '../features/services/web/data.ts'

const choices = (records: readonly { id: string; name: string }[] | undefined) =>
  (records ?? []).map(({ id, name }) => ({ value: id, label: name }))

/** A message to several means customers as their list does; they meet here, because the list offers to write a message, too. */
export const SendNotifications = () => {
  const crews = useQuery(crewsQuery)
  const services = useQuery(servicesQuery)
  return (
    <CustomerFilterPicker>
      {(picker, filter, narrowed) => (
        <SendNotificationsScreen
          offered={{ picker, crews: choices(crews.data), services: choices(services.data), findCustomers }}
          filter={filter}
          narrowed={narrowed}
        />
      )}
    </CustomerFilterPicker>
  )
}
