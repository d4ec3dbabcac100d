import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { type CardBatch, doorcardsApi } from '../contract.ts'
import { batchesQuery, useSaveCards, useUndoCards } from './data.ts'

const Batch = ({ batch }: { batch: CardBatch }) => {
  const { timeZone } = useUser().business
  const save = useSaveCards()
  const undo = useUndoCards()
  const [asking, setAsking] = useState(false)
  const about = `${batch.doors} ${batch.doors === 1 ? 'card' : 'cards'} near ${batch.street}`
  return (
    <li className="card-batch" aria-label={about}>
      <span className="card-batch__words">
        {about}
        <span className="hint">
          {[
            formatDay(dayOf(batch.createdAt, timeZone)),
            batch.language === 'es' ? 'Spanish' : 'English',
            batch.byName,
            batch.undoneAt ? 'taken back' : null,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      {batch.can.print ? (
        <Button size="s" loading={save.isPending} onClick={() => save.mutate(batch.id, { onError: toast.error })}>
          Print again
        </Button>
      ) : null}
      {batch.can.undo ? (
        <Button
          calls={doorcardsApi.undo}
          size="s"
          kind="quiet"
          loading={undo.isPending}
          onClick={() => setAsking(true)}
        >
          Undo
        </Button>
      ) : null}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Take these cards back?"
        confirmLabel="Take them back"
        danger
        onConfirm={async () => {
          await undo.mutateAsync(batch.id)
          setAsking(false)
          toast.success('Taken back. Their doors may get a card again.')
        }}
      >
        For cards that were never hung: their doors may get another one at once, and these cannot be printed again.
      </ConfirmDialog>
    </li>
  )
}

/** Cards that were made, the newest first: printed once more where the file was lost, taken back where they were never hung. */
export const CardBatches = () => {
  const list = useInfiniteQuery(batchesQuery)
  const items = list.data?.pages.flatMap((page) => page.items)
  if (list.isError && !items)
    return <ErrorState compact error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
  if (!items) return <Skeleton height={60} />
  if (items.length === 0) return <p className="muted">No cards were made yet.</p>
  return (
    <>
      <ul className="card-batches">
        {items.map((batch) => (
          <Batch key={batch.id} batch={batch} />
        ))}
      </ul>
      {list.hasNextPage ? (
        <LoadMore
          hasMore
          loading={list.isFetchingNextPage}
          failed={list.isFetchNextPageError}
          onMore={() => void list.fetchNextPage()}
          shown={items.length}
        />
      ) : null}
    </>
  )
}
