import { Crews } from '../features/employees/web/Crews.tsx'
import { EquipmentView } from '../features/equipment/web/EquipmentView.tsx'
import { OutOfService } from '../features/equipment/web/OutOfService.tsx'
import { LiveBoard } from '../features/liveboard/web/LiveBoard.tsx'
import { hubPath } from '../shared/paths.ts'
import { SavedViews } from '../ui/SavedViews.tsx'
import { useParams } from '../ui/useParams.ts'
import '../features/employees/web/employees.css'

const views = [
  { id: 'crews', name: 'Crews' },
  { id: 'now', name: 'Right now' },
  { id: 'equipment', name: 'Equipment' },
] as const

const hrefOf = (id: string): string => `${hubPath('employees', 'crews')}${id === 'crews' ? '' : `&view=${id}`}`

/** Crews and what they have with them: features that do not know each other. */
export const CrewsHub = () => {
  const { params } = useParams()
  const view = views.find(({ id }) => id === params.get('view'))?.id ?? 'crews'
  const bar = (
    <div className="people-bar">
      <SavedViews label="Views" views={views.map((one) => ({ ...one, href: hrefOf(one.id) }))} currentId={view} />
    </div>
  )
  if (view === 'now') return <LiveBoard bar={bar} />
  if (view === 'equipment') return <EquipmentView bar={bar} />
  return <Crews bar={bar} marks={(crewId) => <OutOfService crewId={crewId} />} />
}
