import { useQuery } from '@tanstack/react-query'
import { SelectField } from '../../../ui/SelectField.tsx'
import { taskPeopleQuery } from './data.ts'

/** Who does it: somebody of the office, or whoever comes to it first. */
export const OwnerField = ({ value, onChange, ...rest }: { value: string; onChange: (value: string) => void }) => {
  const people = useQuery(taskPeopleQuery)
  return (
    <SelectField
      label="Who"
      value={value}
      onChange={onChange}
      options={[
        { value: '', label: 'Anybody in the office' },
        ...(people.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ]}
      {...rest}
    />
  )
}
