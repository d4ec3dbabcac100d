import { CreatePerson } from './CreatePerson.tsx'
import './employees.css'
import { People } from './People.tsx'

/** People. Crews, communications and timesheets are screens of their own. */
export const EmployeesScreen = ({ tab }: { tab: string }) => (tab === 'create' ? <CreatePerson /> : <People />)
