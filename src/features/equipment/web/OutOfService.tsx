import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../../ui/Badge.tsx'
import { equipmentQuery } from './data.ts'

/** What a crew has today and must not use. */
export const OutOfService = ({ crewId }: { crewId: string }) => {
  const found = useQuery(equipmentQuery())
  const out = found.data?.items.filter((piece) => piece.out !== null && piece.crew?.id === crewId) ?? []
  if (out.length === 0) return null
  return (
    <span className="eq-out">
      {out.map((piece) => (
        <Badge key={piece.id} tone="late">
          Out of service: {piece.name}
        </Badge>
      ))}
    </span>
  )
}
