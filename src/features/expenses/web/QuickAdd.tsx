import { useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { formatCents } from '../../../shared/money.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FieldError } from '../../../ui/FieldFrame.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { expensesApi } from '../contract.ts'
import { useAddExpense, useKeepExpense } from './data.ts'
import type { Choices } from './PartFields.tsx'

export type QuickKind = 'fuel' | 'disposal'
export const quickLabels: Record<QuickKind, string> = { fuel: 'Fuel', disposal: 'Dump fee' }

type Crew = Choices['crews'][number]

const Row = ({
  crew,
  kind,
  categoryId,
  choices,
}: {
  crew: Crew
  kind: QuickKind
  categoryId: string
  choices: Choices
}) => {
  const last = choices.quick.find((one) => one.crewId === crew.id && one.code === kind)
  const [cents, setCents] = useState<number | null>(last?.totalCents ?? null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isAnother, setAnother] = useState(false)
  const add = useAddExpense()
  const keep = useKeepExpense()
  const save = async () => {
    if (!cents) return setProblem('Type what was paid.')
    setProblem(null)
    try {
      const made = await add.mutateAsync({
        day: choices.today,
        categoryId,
        vendor: last?.vendor ?? '',
        totalCents: cents,
        method: last?.method ?? 'card',
        parts: [{ amountCents: cents, crewId: crew.id, vehicle: crew.vehicle }],
        isAnother,
      })
      setAnother(false)
      toast.undo(`${formatCents(made.totalCents)} ${quickLabels[kind].toLowerCase()} for ${crew.name} today`, () =>
        keep.mutateAsync({ id: made.id, version: made.version, verb: 'remove' }).catch(toast.error),
      )
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'It was not saved. Try again.')
      setAnother(error instanceof ApiError && 'sameId' in error.details)
    }
  }
  return (
    <li>
      <span className="panel-rows__main">
        <b>{crew.name}</b>
        <span className="muted">{[crew.vehicle, last?.vendor].filter(Boolean).join(' · ') || 'Today'}</span>
        {problem ? <FieldError id={`quick-${crew.id}`}>{problem}</FieldError> : null}
      </span>
      <span className="exp-quick__side">
        <MoneyField
          label={`${quickLabels[kind]} for ${crew.name}`}
          hideLabel
          value={cents}
          onChange={(value) => {
            setCents(value)
            setAnother(false)
            setProblem(null)
          }}
        />
        <Button
          calls={expensesApi.create}
          kind={cents ? 'primary' : 'secondary'}
          aria-label={`${isAnother ? 'Add another' : 'Add'} for ${crew.name}`}
          loading={add.isPending}
          onClick={() => void save()}
        >
          {isAnother ? 'Add another' : 'Add'}
        </Button>
      </span>
    </li>
  )
}

/** Fuel or the dump for a crew's day: what it cost last time stands there, one press books it for today. */
export const QuickAdd = ({
  kind,
  categoryId,
  choices,
  onClose,
}: {
  kind: QuickKind | null
  categoryId: string | null
  choices: Choices
  onClose: () => void
}) => (
  <Dialog open={kind !== null} onClose={onClose} title={kind ? `${quickLabels[kind]} today` : ''}>
    {kind === null ? null : categoryId === null ? (
      <EmptyState compact picture="none" title="Its category is archived">
        Restore it under Categories, or add the expense by hand.
      </EmptyState>
    ) : choices.crews.length === 0 ? (
      <EmptyState compact picture="none" title="No crews yet">
        Add a crew under Employees first; without one, use New expense.
      </EmptyState>
    ) : (
      <ul className="panel-rows exp-quick">
        {choices.crews.map((crew) => (
          <Row key={`${kind} ${crew.id}`} crew={crew} kind={kind} categoryId={categoryId} choices={choices} />
        ))}
      </ul>
    )}
  </Dialog>
)
