import { CreateJob } from './CreateJob.tsx'
import { ManageJobs } from './ManageJobs.tsx'
import './jobs.css'

/** Jobs: book new work, and keep what is booked. The other tabs of the hub are screens of their own. */
export const JobsScreen = ({ tab }: { tab: string }) => (tab === 'create' ? <CreateJob /> : <ManageJobs />)
