// biome-ignore-all lint/a11y/useSemanticElements: drawn rows are placed one by one, which table elements do not allow
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { serverMessage } from '#src/shared/client.ts'
import type { CellEdit } from './tableProps.ts'
import './TableCell.css'

/** Where one goes on from a cell that was changed or left. */
export type CellLeave = 'stay' | 'next' | 'previous' | 'gone'

type FieldProps<Row> = { row: Row; edit: CellEdit<Row>; onLeave: (to: CellLeave) => void }

/** A cell as a field: Enter saves, Tab saves and goes on, Escape leaves it as it was; what is wrong is said below it and nothing is lost. */
const CellField = <Row,>({ row, edit, onLeave }: FieldProps<Row>) => {
  const [before] = useState(() => edit.text(row))
  const [text, setText] = useState(before)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const over = useRef(false)
  const id = useId()
  const control = useRef<HTMLInputElement & HTMLSelectElement>(null)
  useEffect(() => {
    control.current?.focus()
    if (control.current instanceof HTMLInputElement) control.current.select()
  }, [])
  const leave = (to: CellLeave) => {
    over.current = true
    onLeave(to)
  }
  const save = async (to: CellLeave) => {
    if (over.current || busy) return
    if (text === before) return leave(to)
    setBusy(true)
    const refused = await edit
      .save(row, text)
      .catch((error: unknown) =>
        serverMessage(
          error,
          'This was not saved: there was no answer. What you typed stands here; press Enter to try again.',
        ),
      )
    setBusy(false)
    if (refused === null) leave(to)
    else {
      setProblem(refused)
      control.current?.focus()
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to: CellLeave | null =
      event.key === 'Enter' ? 'stay' : event.key === 'Tab' ? (event.shiftKey ? 'previous' : 'next') : null
    event.stopPropagation()
    if (event.key === 'Escape') {
      event.preventDefault()
      leave('stay')
    } else if (to) {
      event.preventDefault()
      void save(to)
    }
  }
  const shared = {
    ref: control,
    'aria-label': edit.label,
    'aria-invalid': problem ? (true as const) : undefined,
    'aria-describedby': problem ? id : undefined,
    'aria-busy': busy || undefined,
    readOnly: busy,
    value: text,
    onKeyDown,
    onBlur: () => void save('gone'),
    className: 'ui-cell-edit__control',
  }
  return (
    <span className="ui-cell-edit">
      {edit.options ? (
        <select {...shared} onChange={(event) => setText(event.target.value)}>
          <option value="">Not said</option>
          {edit.options(row).map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          type="text"
          autoComplete="off"
          inputMode={edit.inputMode}
          maxLength={edit.maxLength}
          onChange={(event) => {
            setText(event.target.value)
            setProblem(null)
          }}
        />
      )}
      {problem ? (
        <span className="ui-cell-edit__problem" id={id} role="alert">
          {problem}
        </span>
      ) : null}
    </span>
  )
}

type Props<Row> = {
  row: Row
  columnId: string
  edit: CellEdit<Row> | undefined
  right: boolean
  editing: boolean
  onEdit: () => void
  onLeave: (to: CellLeave) => void
  /** From a cell that has the focus: to one beside it, to the one above or below, or back to the row. */
  onWalk: (way: 'left' | 'right' | 'up' | 'down' | 'row') => void
  children: ReactNode
}

const ways = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down', Escape: 'row' } as const

/** A cell of the grid; one that can be changed takes the focus by the arrow keys and becomes a field by Enter, F2 or a double click. */
export const TableCell = <Row,>({
  row,
  columnId,
  edit,
  right,
  editing,
  onEdit,
  onLeave,
  onWalk,
  children,
}: Props<Row>) => {
  const className = `ui-grid__cell${right ? ' is-right num' : ''}`
  if (!edit || edit.can?.(row) === false)
    return (
      <div role="cell" className={className}>
        {children}
      </div>
    )
  if (editing)
    return (
      <div role="cell" className={`${className} is-editing`}>
        <CellField row={row} edit={edit} onLeave={onLeave} />
      </div>
    )
  return (
    <div
      role="cell"
      className={`${className} is-editable`}
      data-edit={columnId}
      tabIndex={-1}
      title={`${edit.label}: double-click or press F2 to change it`}
      onDoubleClick={() => {
        window.getSelection()?.removeAllRanges()
        onEdit()
      }}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget) return
        const way = ways[event.key as keyof typeof ways]
        if (!way && event.key !== 'Enter' && event.key !== 'F2') return
        event.preventDefault()
        event.stopPropagation()
        if (way) onWalk(way)
        else onEdit()
      }}
    >
      {children}
    </div>
  )
}
