import { useQuery } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { servicesApi } from '../../services/contract.ts'

/** The treatments that are usually done with a mix: crews load it for them, and the phone offers it first. */
export const MixServices = ({
  value,
  onChange,
}: {
  value: readonly string[]
  onChange: (serviceIds: string[]) => void
}) => {
  const { data, error } = useQuery({
    queryKey: ['services', 'names'],
    queryFn: async ({ signal }) => (await call(servicesApi.names, {}, { signal })).items,
  })
  if (!data) return error ? <p className="hint">Your services did not load. What is ticked stays as it is.</p> : null
  const treatments = data.filter(({ category }) => category === 'treat')
  if (treatments.length === 0)
    return <p className="hint">None of your services is a treatment yet. A service says so in its category.</p>
  return (
    <div className="chem-services">
      {treatments.map(({ id, name }) => (
        <CheckboxField
          key={id}
          label={name}
          value={value.includes(id)}
          onChange={(on) => onChange(on ? [...value, id] : value.filter((one) => one !== id))}
        />
      ))}
    </div>
  )
}
