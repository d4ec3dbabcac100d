import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { IconSend } from '../../../ui/icons.ts'
import { SelectField } from '../../../ui/SelectField.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday } from '../../accounts/web/session.ts'
import { statementsApi } from '../statements/contract.ts'
import { usualPeriods } from '../statements/rules.ts'
import { openStatementsQuery, useSendOpenStatements } from './data.ts'

const people = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'customer' : 'customers'}`

const Fields = ({ onClose }: { onClose: () => void }) => {
  const periods = usualPeriods(useToday())
  const [chosen, setChosen] = useState(periods[0]?.id ?? '')
  const found = useQuery(openStatementsQuery)
  const send = useSendOpenStatements()
  if (found.isError)
    return (
      <ErrorState
        error={found.error}
        title="We could not look who owes"
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    )
  if (!found.data) return <PanelSkeleton />
  const { count, unreachedCount, owedCents, more } = found.data
  if (count + unreachedCount === 0)
    return (
      <EmptyState compact picture="mowed" title="Nobody owes anything">
        When invoices are open, their customers can be sent a statement here.
      </EmptyState>
    )
  const period = periods.find(({ id }) => id === chosen) ?? periods[0]
  const press = () => {
    if (!period) return
    send.mutate(
      { from: period.from, to: period.to, count },
      {
        onSuccess: () => {
          toast.success(`${people(count)}: their statements are on the way`)
          onClose()
        },
        onError: () => void found.refetch(),
      },
    )
  }
  return (
    <div className="inv-send-all">
      <p>
        {people(count)} with <b className="num">{formatCents(owedCents)}</b> open. Each gets what was charged and paid
        in the time below, with a link to see and pay what is open, as they have their papers.
      </p>
      <SelectField
        label="Statement over"
        value={chosen}
        onChange={setChosen}
        options={periods.map(({ id, label }) => ({ value: id, label }))}
      />
      {unreachedCount > 0 ? (
        <Banner
          tone="warn"
          title={`${people(unreachedCount)} more ${unreachedCount === 1 ? 'owes' : 'owe'} something.`}
        >
          Neither a mail nor a text reaches them: print theirs from the customer.
        </Banner>
      ) : null}
      {more ? <Banner>These are the first 1,000 who owe, the oldest debts first.</Banner> : null}
      {send.isError ? <Banner tone="error">{send.error.message}</Banner> : null}
      <FormActions>
        <Button
          kind="primary"
          calls={statementsApi.sendOpen}
          icon={<IconSend />}
          loading={send.isPending}
          disabled={count === 0}
          onClick={press}
        >
          Send {count === 1 ? '1 statement' : `${count.toLocaleString('en-US')} statements`}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </div>
  )
}

/** Statements to all who owe, in one go. */
export const SendStatements = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title="Send statements to all who owe">
    {open ? <Fields onClose={onClose} /> : null}
  </Dialog>
)
