import { lazyAhead } from '../../../ui/lazyAhead.tsx'
import { ManageJobs } from './ManageJobs.tsx'
import './jobs.css'

const CreateJob = lazyAhead(() => import('./CreateJob.tsx').then((m) => m.CreateJob))

/** Jobs: book new work, and keep what is booked. The other tabs of the hub are screens of their own. */
export const JobsScreen = ({ tab }: { tab: string }) => (tab === 'create' ? <CreateJob /> : <ManageJobs />)
