import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/client.ts'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { RecordFailed } from '../../../ui/RecordFailed.tsx'
import { RecordPanel } from '../../../ui/RecordPanel.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { type Material, materialsApi } from '../contract.ts'
import { amountText, isLow, moveLabel, packagesText, shortBy } from '../rules.ts'
import { movesQuery, useMaterialVerb } from './data.ts'
import { whatText } from './labels.ts'
import { MaterialForm } from './MaterialForm.tsx'
import { type Move, MoveDialog } from './MoveDialog.tsx'

const signed = (value: number): string => (value > 0 ? `+${amountText(value)}` : amountText(value))

/** Every movement with who and when; nobody changes one. */
const Moves = ({ material }: { material: Material }) => {
  const found = useInfiniteQuery(movesQuery(material.id))
  const { timeZone } = useUser().business
  const items = found.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <section className="mat-part" aria-labelledby={`moves-${material.id}`}>
      <h3 id={`moves-${material.id}`}>Movements</h3>
      {found.isError && !found.data ? (
        <ErrorState
          compact
          error={found.error}
          title="We could not load the movements"
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : null}
      {items.length === 0 && found.data ? <p className="hint">Nothing yet: count it once.</p> : null}
      <ul className="mat-rows">
        {items.map((one) => (
          <li key={one.id}>
            <span className="mat-rows__words">
              <span>
                <b>{moveLabel[one.kind]}</b> <span className="num">{signed(one.packages)}</span>
              </span>
              <span className="hint">
                {[
                  `${formatDay(dayOf(one.at, timeZone), { year: true })}, ${formatTime(one.at, timeZone)}`,
                  one.by ?? '',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              {one.note ? (
                <span>
                  {one.jobId && one.visitId ? (
                    <LinkTo href={linkTo.job(one.jobId, { visitId: one.visitId })}>{one.note}</LinkTo>
                  ) : (
                    one.note
                  )}
                </span>
              ) : null}
            </span>
            <span className="num">{packagesText(one.onHandAfter, material.package)}</span>
          </li>
        ))}
      </ul>
      <LoadMore
        hasMore={found.hasNextPage}
        loading={found.isFetchingNextPage}
        failed={found.isFetchNextPageError}
        onMore={() => void found.fetchNextPage()}
        shown={items.length}
      />
    </section>
  )
}

type Props = {
  id: string
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

/** One material beside the list: what there is, every movement of it, and what it is. */
export const MaterialPanel = ({ id, onClose, onPrevious, onNext }: Props) => {
  const found = useQuery({
    queryKey: ['materials', 'one', id],
    queryFn: ({ signal }) => call(materialsApi.get, { params: { id } }, { signal }),
  })
  const [move, setMove] = useState<Move | null>(null)
  const archive = useMaterialVerb(id, 'archive')
  const restore = useMaterialVerb(id, 'restore')
  const material = found.data
  if (found.error && !material)
    return (
      <RecordPanel open onClose={onClose} title="Material">
        <RecordFailed
          what="material"
          error={found.error}
          onClose={onClose}
          onRetry={() => found.refetch()}
          retrying={found.isFetching}
        />
      </RecordPanel>
    )
  const putAway = async (one: Material) => {
    try {
      const gone = await archive.mutateAsync({ version: one.version })
      onClose()
      toast.undo(`${one.name} was put away`, () => restore.mutateAsync({ version: gone.version }).catch(toast.error))
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <RecordPanel
      open
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      title={material?.name ?? ''}
      sub={material ? whatText(material) : undefined}
      badge={
        material?.archived ? (
          <Badge tone="neutral">Put away</Badge>
        ) : material && isLow(material) ? (
          <Badge tone="wait">Low</Badge>
        ) : undefined
      }
      actions={
        material ? (
          <>
            {material.can.archive ? (
              <Button
                size="s"
                calls={materialsApi.archive}
                loading={archive.isPending}
                onClick={() => void putAway(material)}
              >
                Put away
              </Button>
            ) : null}
            {material.can.restore ? (
              <Button
                size="s"
                calls={materialsApi.restore}
                loading={restore.isPending}
                onClick={() =>
                  void restore
                    .mutateAsync({ version: material.version })
                    .then(() => toast.success(`${material.name} is on the list again`), toast.error)
                }
              >
                Bring back
              </Button>
            ) : null}
          </>
        ) : null
      }
    >
      {material ? (
        <div className="mat-stack">
          <section className="mat-part" aria-label="On hand">
            <p className="mat-big num">
              <b>{packagesText(material.onHand, material.package)}</b>
              <span>
                {material.reorderAt === null
                  ? 'on hand'
                  : `on hand, reorder at ${packagesText(material.reorderAt, material.package)}`}
              </span>
            </p>
            <div className="mat-do">
              {material.can.count ? (
                <Button size="s" calls={materialsApi.count} onClick={() => setMove('count')}>
                  Count
                </Button>
              ) : null}
              {material.can.receive ? (
                <Button size="s" calls={materialsApi.receive} onClick={() => setMove('receive')}>
                  Received
                </Button>
              ) : null}
              {material.can.use ? (
                <Button size="s" calls={materialsApi.use} onClick={() => setMove('use')}>
                  Used
                </Button>
              ) : null}
            </div>
          </section>
          <Moves material={material} />
          {material.can.update ? <MaterialForm key={material.id} material={material} onDone={() => undefined} /> : null}
        </div>
      ) : (
        <PanelSkeleton />
      )}
      {material ? (
        <MoveDialog
          material={material}
          move={move}
          // as many as the purchase list asks for
          {...(move === 'receive' && isLow(material) ? { usual: shortBy(material) } : {})}
          onClose={() => setMove(null)}
        />
      ) : null}
    </RecordPanel>
  )
}
