import { CreatePerson } from './CreatePerson.tsx'
import { Crews } from './Crews.tsx'
import './employees.css'
import { People } from './People.tsx'

/** People and crews. Communications and timesheets are screens of their own features. */
export const EmployeesScreen = ({ tab }: { tab: string }) =>
  tab === 'create' ? <CreatePerson /> : tab === 'crews' ? <Crews /> : <People />
