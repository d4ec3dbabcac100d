import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type Stage, stageLabel, stages } from '../rules.ts'
import { type BulkAction, peopleQuery, useBulkLeads } from './data.ts'
import { LostDialog } from './LostDialog.tsx'

const leads = (count: number): string => `${count} ${count === 1 ? 'lead' : 'leads'}`
/** So many at once; the rest stays chosen for the next press. */
const mostAtOnce = 200

/** What can be done to the chosen leads together. */
export const BulkLeads = ({ ids, count, onDone }: { ids: readonly string[]; count: number; onDone: () => void }) => {
  const bulk = useBulkLeads()
  const people = useQuery(peopleQuery)
  const [losing, setLosing] = useState(false)
  const run = async (action: BulkAction, said: string) => {
    const { changed } = await bulk.mutateAsync({ choice: { ids: ids.slice(0, mostAtOnce) }, action })
    toast.success(
      count > mostAtOnce
        ? `${leads(changed)} ${said}. The others were not touched: choose them next`
        : `${leads(changed)} ${said}`,
    )
    onDone()
  }
  const stage = (to: Stage) => void run({ kind: 'stage', stage: to }, `moved to ${stageLabel[to]}`).catch(toast.error)
  const give = (assigneeId: string | null, said: string) =>
    void run({ kind: 'assign', assigneeId }, said).catch(toast.error)
  return (
    <>
      <Menu
        items={[
          ...(people.data ?? []).map(({ id, name }) => ({ label: name, onClick: () => give(id, `given to ${name}`) })),
          'line' as const,
          { label: 'Nobody', onClick: () => give(null, 'given to nobody') },
        ]}
      >
        <Button size="s" loading={bulk.isPending}>
          Give to
        </Button>
      </Menu>
      <Menu
        items={stages.map((to) => ({
          label: stageLabel[to],
          onClick: () => (to === 'lost' ? setLosing(true) : stage(to)),
        }))}
      >
        <Button size="s" loading={bulk.isPending}>
          Move to
        </Button>
      </Menu>
      {losing ? (
        <LostDialog
          name={leads(count)}
          onClose={() => setLosing(false)}
          onLost={async (lost) => {
            await run({ kind: 'stage', stage: 'lost', lost }, 'moved to Lost')
            setLosing(false)
          }}
        />
      ) : null}
    </>
  )
}
