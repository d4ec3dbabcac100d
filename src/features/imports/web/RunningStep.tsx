import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import type { ImportRecord } from '../contract.ts'

/** How far the writing or the undoing is; it goes on by itself when this is left. */
export const RunningStep = ({ record }: { record: ImportRecord }) => {
  const undoing = record.status === 'undoing'
  const done = undoing ? record.okCount - record.doneCount : record.doneCount
  const detail = `${done.toLocaleString('en-US')} of ${record.okCount.toLocaleString('en-US')}`
  return (
    <div className="import-running">
      <h2>{undoing ? 'Taking the import back' : 'Bringing your customers in'}</h2>
      <Progress
        value={done}
        max={Math.max(1, record.okCount)}
        label={undoing ? 'Rows removed' : 'Rows written'}
        detail={detail}
      />
      {record.error ? <Banner tone="warn">{record.error}</Banner> : null}
      <p className="muted">You can leave this page; it goes on by itself.</p>
      <Button href="/customers?tab=manage">Go on working</Button>
    </div>
  )
}
