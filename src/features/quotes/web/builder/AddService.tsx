import { ComboboxField } from '../../../../ui/ComboboxField.tsx'
import type { ServiceRecord } from '../../../services/contract.ts'

type Props = { services: readonly ServiceRecord[]; onAdd: (serviceId: string) => void }

/** Finds a service of the price book by its name, for the next line. */
export const AddService = ({ services, onAdd }: Props) => (
  <ComboboxField
    label="Add a service"
    value={null}
    placeholder="Mowing, mulch, aeration…"
    onChange={(choice) => choice && onAdd(choice.value)}
    search={(text) =>
      services
        .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
        .slice(0, 30)
        .map(({ id, name }) => ({ value: id, label: name }))
    }
    emptyText="No service is called so. Add it under Services first."
  />
)
