import { useQuery } from '@tanstack/react-query'
import { SelectField } from '#src/ui/SelectField.tsx'
import { TextAreaField } from '#src/ui/TextAreaField.tsx'
import { crewsQuery } from './data.ts'

type Props = {
  crewId: string
  onCrew: (crewId: string) => void
  /** What it means that no crew is chosen. */
  placeholder?: string
  /** The heading above says it already. */
  hideLabel?: boolean
  instructions: string
  onInstructions: (text: string) => void
}

/** Who does new work, and what they are told about it. */
export const CrewFields = ({
  crewId,
  onCrew,
  placeholder = 'Decide when the day is planned',
  hideLabel = false,
  instructions,
  onInstructions,
}: Props) => {
  const crews = useQuery(crewsQuery)
  return (
    <>
      <SelectField
        label="Crew"
        hideLabel={hideLabel}
        value={crewId}
        placeholder={placeholder}
        onChange={onCrew}
        options={(crews.data ?? []).map((crew) => ({ value: crew.id, label: crew.name }))}
      />
      <TextAreaField
        label="For the crew"
        optional
        rows={2}
        maxLength={4000}
        value={instructions}
        onChange={onInstructions}
      />
    </>
  )
}
