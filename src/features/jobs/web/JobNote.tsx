import { useQueryClient } from '@tanstack/react-query'
import { useMay } from '../../accounts/web/session.ts'
import type { Visit } from '../../visits/contract.ts'
import { NoteEditor } from '../../visits/web/VisitNotes.tsx'
import { jobsApi } from '../contract.ts'
import { jobQuery, useChangeJob } from './data.ts'

/** The note that every visit of a job has, changed where it is read. */
export const JobNote = ({ visit }: { visit: Visit }) => {
  const client = useQueryClient()
  const change = useChangeJob(visit.jobId)
  const may = useMay()(jobsApi.update)
  return (
    <NoteEditor
      label="Every visit"
      hint="On the crew's phones at every stop of this job, until you change it."
      text={visit.job.instructions}
      calls={may ? (jobsApi.update as never) : null}
      maxLength={4000}
      onSave={async (instructions) => {
        const job = await client.fetchQuery({ ...jobQuery(visit.jobId), staleTime: 0 })
        await change.mutateAsync({ version: job.version, instructions })
        await client.invalidateQueries({ queryKey: ['visits'] })
      }}
    />
  )
}
