import { useQuery } from '@tanstack/react-query'
import { SwitchField } from '../../../ui/SwitchField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { automationRunsApi } from '../contract.ts'
import { customerAutomationsQuery, useWant } from './data.ts'

/** Which automations one customer gets; nothing where none is on. */
export const CustomerAutomations = ({ customerId, name }: { customerId: string; name: string }) => {
  const may = useMay()
  const found = useQuery({ ...customerAutomationsQuery(customerId), enabled: may(automationRunsApi.customer) })
  const want = useWant()
  if (!found.data || found.data.items.length === 0) return null
  return (
    <section className="panel-section" aria-label={`Automations of ${name}`}>
      <header>
        <h3>Automations</h3>
      </header>
      {found.data.items.map(({ id, name: label, when, wanted }) => (
        <SwitchField
          key={id}
          name={`automation-${id}`}
          label={label}
          hint={when}
          value={wanted}
          disabled={!may(automationRunsApi.want) || want.isPending}
          onChange={(on) =>
            want.mutate(
              { params: { id: customerId }, body: { automationId: id, wanted: on } },
              { onError: (error) => toast.error(error) },
            )
          }
        />
      ))}
    </section>
  )
}
