import {
  type Announcements,
  type CollisionDetection,
  closestCenter,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  KeyboardSensor,
  MouseSensor,
  pointerWithin,
  rectIntersection,
  TouchSensor,
  type UniqueIdentifier,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { Fragment, type MouseEvent, memo, type ReactNode, useMemo, useRef, useState } from 'react'
import { IconGripVertical } from './icons.ts'
import { moveBetween, placeOf } from './sortMoves.ts'
import { toast } from './toast.tsx'
import './SortableLists.css'
import { useNarrow } from './useNarrow.ts'

export type SortList<Item> = {
  id: string
  label: string
  items: readonly Item[]
  header?: ReactNode
  empty?: ReactNode
  locked?: boolean
  /** What is asked before an item really moves there: read out in place of where it is. */
  asks?: string
  /** Below the items: what asks for more of them. */
  footer?: ReactNode
  /** Stands before the list, beside it: the head of a row of lists. */
  before?: ReactNode
}
/** What speaks against a list for a lifted item. `refuses`: it cannot be dropped there. */
export type SortVerdict = { text: string; refuses: boolean }
export type SortMove = { itemId: string; fromListId: string; toListId: string; toIndex: number }
type Props<Item> = {
  lists: readonly SortList<Item>[]
  itemId: (item: Item) => string
  itemLabel: (item: Item) => string
  render: (item: Item, place: { listId: string; index: number; lifted: boolean }) => ReactNode
  /** Called once, when the item is let go somewhere else. */
  onMove: (move: SortMove) => void
  /** Items that stay where they are: pinned or done stops. */
  isLocked?: (item: Item) => boolean
  /** Lists beside each other instead of below. */
  row?: boolean
  className?: string
  /** The page does not scroll below what is carried: where it can go stands fixed on the screen. */
  still?: boolean
  /** Asked for every list when an item is lifted: it is shown there, and said, before anything is dropped. */
  judge?: (item: Item, listId: string) => SortVerdict | null
}

/** What takes the mouse for itself: text is marked there, not carried away. */
const typed = 'input, textarea, select, [contenteditable]'

/** Whether a press on a row is one that can lift it; a menu that hangs on the row stands elsewhere on the page and tells the row of its presses, too. */
const canLift = ({ target, currentTarget }: { target: EventTarget; currentTarget: Element }): boolean =>
  target instanceof Element && currentTarget.contains(target) && target.closest(typed) === null

type RowProps = { id: string; label: string; locked: boolean; children: ReactNode }

/** Drawn anew only when its own place changes: a board of 300 stops follows the pointer. */
const Row = memo(({ id, label, locked, children }: RowProps) => {
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id,
    disabled: { draggable: locked },
  })
  return (
    <li
      ref={setNodeRef}
      // Lifted anywhere on it: by the mouse at once, by a finger after a short hold, so that it still scrolls. The grip is for the keyboard as well.
      onMouseDown={locked ? undefined : (event) => canLift(event) && listeners?.onMouseDown?.(event)}
      onTouchStart={locked ? undefined : (event) => canLift(event) && listeners?.onTouchStart?.(event)}
      className={`ui-sort__item${locked ? '' : ' is-free'}${isDragging ? ' is-lifted' : ''}`}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      {locked ? (
        <span className="ui-sort__grip" />
      ) : (
        <button
          type="button"
          ref={setActivatorNodeRef}
          className="ui-sort__grip"
          {...attributes}
          {...listeners}
          aria-label={`Drag ${label}`}
        >
          <IconGripVertical size={18} />
        </button>
      )}
      <div className="ui-sort__body">{children}</div>
    </li>
  )
})

const List = ({
  id,
  label,
  header,
  footer,
  children,
  empty,
  ids,
  verdict,
}: {
  id: string
  verdict: SortVerdict | null
  label: string
  header?: ReactNode
  footer?: ReactNode
  empty: ReactNode
  ids: string[]
  children: ReactNode
}) => {
  const { setNodeRef, isOver } = useDroppable({ id: `list:${id}` })
  return (
    <section
      className={`ui-sort__list${isOver ? ' is-over' : ''}${verdict ? (verdict.refuses ? ' is-refused' : ' is-warned') : ''}`}
      aria-label={label}
    >
      {header}
      {verdict ? <p className="ui-sort__verdict">{verdict.text}</p> : null}
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ol ref={setNodeRef}>{ids.length ? children : <li className="ui-sort__empty">{empty}</li>}</ol>
      </SortableContext>
      {footer}
    </section>
  )
}

type Place = { x: number; y: number }

/** Whether a point lies inside of everything that scrolls around an element: a row that is scrolled out of its list lies where others are seen. */
const isSeenAt = (element: HTMLElement, { x, y }: Place): boolean => {
  for (let around = element.parentElement; around; around = around.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(around)
    if (overflowX === 'visible' && overflowY === 'visible') continue
    const box = around.getBoundingClientRect()
    if (x < box.left || x > box.right || y < box.top || y > box.bottom) return false
  }
  return true
}

/** The list that is seen at a point: one that stands fixed on the screen lies over the rows of others. */
const listSeenAt = ({ x, y }: Place): Element | null =>
  document.elementFromPoint?.(x, y)?.closest('.ui-sort__list') ?? null

// The pointer says where; the keyboard has none and goes by what lies nearest.
const collide: CollisionDetection = (args) => {
  const { pointerCoordinates: pointer, droppableContainers } = args
  const top = pointer ? listSeenAt(pointer) : null
  const seen = (hit: { id: UniqueIdentifier }): boolean => {
    const element = droppableContainers.find((one) => one.id === hit.id)?.node.current
    if (!pointer || !element) return true
    return isSeenAt(element, pointer) && (top === null || top.contains(element))
  }
  const hasRows = (id: UniqueIdentifier): boolean =>
    droppableContainers.find((one) => one.id === id)?.node.current?.querySelector('.ui-sort__item') != null
  // By keys everything is near or far: a list counts where it has no rows, else an empty one could never be entered.
  if (!pointer) return closestCenter(args).filter((hit) => !String(hit.id).startsWith('list:') || !hasRows(hit.id))
  const under = pointerWithin(args).filter(seen)
  const hits = under.length ? under : rectIntersection(args).filter(seen)
  const items = hits.filter((hit) => !String(hit.id).startsWith('list:'))
  return items.length ? items : hits
}

/** A finger that rests so long on a row lifts it; one that moves before scrolls. */
const holdMs = 250
/** So long the click of a mouse that let go of a row can follow; it is no press on a link that lies there. */
const clickAfterMs = 50

const noClick = (event: Event) => event.preventDefault()

/** So long after a finger let go of what it carried, a browser may still take that for a tap on what lies there. */
const tapAfterMs = 400

// On a phone everything is near an edge: the lists go on at a pace that a finger can follow.
const slowly = { acceleration: 2.5, threshold: { x: 0.12, y: 0.14 } }

/** Stops to put in order, in one list or across several: by mouse, by finger after a short hold, by Space and arrows. */
export const SortableLists = <Item,>({
  lists,
  itemId,
  itemLabel,
  render,
  onMove,
  isLocked,
  row,
  className,
  still = false,
  judge,
}: Props<Item>) => {
  const [draft, setDraft] = useState<Record<string, string[]> | null>(null)
  const [lifted, setLifted] = useState<string | null>(null)
  const [verdicts, setVerdicts] = useState<ReadonlyMap<string, SortVerdict>>(new Map())
  const narrow = useNarrow()
  const letGo = useRef<{ byFinger: boolean; atMs: number }>({ byFinger: false, atMs: -tapAfterMs })
  const dropTap = (event: MouseEvent) => {
    if (!letGo.current.byFinger || performance.now() - letGo.current.atMs > tapAfterMs) return
    event.preventDefault()
    event.stopPropagation()
  }
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: holdMs, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const given = Object.fromEntries(lists.map((list) => [list.id, list.items.map(itemId)]))
  const order = draft ?? given
  const byId = new Map(lists.flatMap((list) => list.items.map((item) => [itemId(item), item] as const)))
  const listOf = (id: string) => lists.find((list) => list.id === id)
  const nameOf = (id: string) => {
    const item = byId.get(id)
    return item ? itemLabel(item) : (listOf(id.replace(/^list:/, ''))?.label ?? id)
  }
  const targetOf = (over: string) =>
    over.startsWith('list:')
      ? { listId: over.slice(5), index: (order[over.slice(5)] ?? []).length }
      : placeOf(order, over)
  const say = (id: string): string => {
    const place = placeOf(order, id)
    return place
      ? `place ${place.index + 1} of ${order[place.listId]?.length ?? 0} in ${listOf(place.listId)?.label ?? ''}`
      : ''
  }
  const closed = (listId: string): boolean => listOf(listId)?.locked === true || verdicts.get(listId)?.refuses === true
  const saidOf = (over: string): string => {
    const verdict = verdicts.get(targetOf(over)?.listId ?? '')
    return verdict ? ` ${verdict.text}` : ''
  }
  const whereIs = (over: string): string => {
    const target = targetOf(over)
    return target ? `place ${target.index + 1} in ${listOf(target.listId)?.label ?? ''}` : nameOf(over)
  }
  /** Why an item that is let go there goes back, empty where no words are known for it; null where it may stay. */
  const refusedAt = (id: string, over: string): string | null => {
    const target = targetOf(over)
    if (!target || target.listId === placeOf(given, id)?.listId || !closed(target.listId)) return null
    return verdicts.get(target.listId)?.text ?? ''
  }
  const announcements: Announcements = {
    onDragStart: ({ active }) => `Lifted ${nameOf(String(active.id))}, ${say(String(active.id))}.`,
    onDragOver: ({ active, over }) =>
      over ? `${nameOf(String(active.id))} is over ${whereIs(String(over.id))}.${saidOf(String(over.id))}` : undefined,
    onDragEnd: ({ active, over }) => {
      const refused = over ? refusedAt(String(active.id), String(over.id)) : null
      const place = placeOf(order, String(active.id))
      const asks =
        place && place.listId !== placeOf(given, String(active.id))?.listId ? listOf(place.listId)?.asks : undefined
      return refused === null
        ? asks
          ? `${nameOf(String(active.id))} is let go. ${asks}`
          : `${nameOf(String(active.id))} is now at ${say(String(active.id))}.`
        : `${nameOf(String(active.id))} went back. ${refused}`
    },
    onDragCancel: ({ active }) => `${nameOf(String(active.id))} went back.`,
  }
  const finish = () => {
    letGo.current.atMs = performance.now()
    window.addEventListener('click', noClick, { capture: true })
    setTimeout(() => window.removeEventListener('click', noClick, { capture: true }), clickAfterMs)
    setDraft(null)
    setLifted(null)
    setVerdicts(new Map())
  }
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    const id = String(active.id)
    const from = placeOf(given, id)
    const target = over ? targetOf(String(over.id)) : null
    const refused = over ? refusedAt(id, String(over.id)) : null
    finish()
    // Where it cannot be it goes back, whatever lists it was carried across.
    if (refused !== null) {
      if (refused) toast.error(`${nameOf(id)} stays where it was. ${refused}`)
      return
    }
    // It stays where it was seen, also let go beside the lists or after they scrolled on below the finger.
    const seen = placeOf(order, id)
    const to =
      target && target.listId === seen?.listId ? placeOf(moveBetween(order, id, target.listId, target.index), id) : seen
    if (!from || !to || (from.listId === to.listId && from.index === to.index)) return
    onMove({ itemId: id, fromListId: from.listId, toListId: to.listId, toIndex: to.index })
  }
  // What stands in a row stays the same while something is carried past it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn belongs to these lists and this way of drawing
  const drawn = useMemo(() => new Map<string, ReactNode>(), [lists, render])
  const drawnOf = (id: string, item: Item, place: { listId: string; index: number; lifted: boolean }): ReactNode => {
    const key = `${id} ${place.listId} ${place.index} ${place.lifted}`
    if (!drawn.has(key)) drawn.set(key, render(item, place))
    return drawn.get(key)
  }
  const liftedItem = lifted ? byId.get(lifted) : undefined
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={collide}
      autoScroll={still ? false : narrow ? slowly : true}
      accessibility={{
        announcements,
        screenReaderInstructions: {
          draggable: 'Press Space to lift, arrow keys to move, Space to put down, Escape to leave it where it was.',
        },
      }}
      onDragStart={({ active, activatorEvent }) => {
        letGo.current.byFinger = activatorEvent.type === 'touchstart'
        const item = byId.get(String(active.id))
        setLifted(String(active.id))
        setDraft(given)
        if (judge && item !== undefined)
          setVerdicts(
            new Map(
              lists.flatMap((list) => {
                const verdict = judge(item, list.id)
                return verdict ? [[list.id, verdict] as const] : []
              }),
            ),
          )
      }}
      onDragOver={({ active, over }) => {
        const target = over ? targetOf(String(over.id)) : null
        const from = placeOf(order, String(active.id))
        if (!target || !from || target.listId === from.listId) return
        if (closed(target.listId)) setDraft(given)
        else setDraft(moveBetween(order, String(active.id), target.listId, target.index))
      }}
      onDragEnd={onDragEnd}
      onDragCancel={finish}
    >
      <div
        onClickCapture={dropTap}
        className={`ui-sort${row ? ' ui-sort--row' : ''}${className ? ` ${className}` : ''}`}
      >
        {lists.map((list) => {
          const ids = order[list.id] ?? []
          return (
            <Fragment key={list.id}>
              {list.before}
              <List
                id={list.id}
                label={list.label}
                header={list.header}
                footer={list.footer}
                verdict={verdicts.get(list.id) ?? null}
                empty={list.empty ?? 'Nothing here. Drop a stop.'}
                ids={ids}
              >
                {ids.map((id, index) => {
                  const item = byId.get(id)
                  return item === undefined ? null : (
                    <Row key={id} id={id} label={itemLabel(item)} locked={isLocked?.(item) ?? false}>
                      {drawnOf(id, item, { listId: list.id, index, lifted: id === lifted })}
                    </Row>
                  )
                })}
              </List>
            </Fragment>
          )
        })}
      </div>
      {/* what flies back to its place lies over the next grip: a press has to reach that one */}
      <DragOverlay style={{ pointerEvents: 'none' }} zIndex={still ? 45 : 999}>
        {liftedItem === undefined ? null : (
          <div className="ui-sort__item ui-sort__ghost">
            <span className="ui-sort__grip">
              <IconGripVertical size={18} />
            </span>
            <div className="ui-sort__body">{render(liftedItem, { listId: '', index: -1, lifted: true })}</div>
          </div>
        )}
      </DragOverlay>
    </DndContext>
  )
}
