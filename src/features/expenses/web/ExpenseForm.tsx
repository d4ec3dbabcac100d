import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '../../../shared/client.ts'
import { type Day, formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import type { FieldWords } from '../../../ui/TwoAnswers.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useVersioned } from '../../../ui/useVersioned.tsx'
import { useUser } from '../../accounts/web/session.ts'
import type { ExpenseCategory } from '../categories/contract.ts'
import { type Expense, expensesApi } from '../contract.ts'
import { methods, oddDay, paidMethods } from '../rules.ts'
import { expenseQuery, type Picture, sendPicture, useAddExpense, useChangeExpense, useRefresh } from './data.ts'
import { type Choices, PartFields } from './PartFields.tsx'
import { NewReceipts } from './Receipts.tsx'
import { VendorField } from './VendorField.tsx'
import { bodyOf, type Values, valuesOf } from './values.ts'

type Body = ReturnType<typeof bodyOf>

const words = (categories: readonly ExpenseCategory[]): FieldWords<Body> => ({
  day: { label: 'Day', show: (day) => formatDay(day, { year: true }) },
  categoryId: { label: 'Category', show: (id) => categories.find((one) => one.id === id)?.name ?? 'Another' },
  vendor: 'Vendor',
  note: 'Note',
  totalCents: { label: 'Paid', show: (cents) => formatCents(cents) },
  taxCents: { label: 'Sales tax', show: (cents) => formatCents(cents ?? 0) },
  method: { label: 'Paid by', show: (method) => methods[method] },
  paidByUserId: { label: 'Whose money', show: (id) => (id ? 'A person' : 'Nobody') },
  reimbursedOn: { label: 'Paid back', show: (day) => (day ? formatDay(day, { year: true }) : 'Not yet') },
  parts: { label: 'What for', show: (parts) => `${parts?.length ?? 0} ${parts?.length === 1 ? 'part' : 'parts'}` },
})

type Same = { message: string; id: string; values: Values }

type Why = { exceptionReason?: string }

/** The day is in a closed month: what was refused, and the ways out. */
const Closed = ({
  message,
  onToday,
  onReason,
}: {
  message: string
  /** Null where no day that is asked for would change it: the old one is in a closed month itself. */
  onToday: (() => void) | null
  onReason: (reason: string) => Promise<unknown>
}) => {
  const isOwner = useUser().role === 'Owner'
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  return (
    <Banner
      tone="warn"
      title="This month is closed"
      action={onToday ? <Button onClick={onToday}>Date it today</Button> : null}
    >
      <p>
        {onToday
          ? message
          : `This expense stands in a closed month, so its day, sum, category and parts stay as they are. Nothing was changed. Its note, its receipts and the day it was paid back can still be changed; for the rest ${
              isOwner ? 'reopen the month at Invoices, “For the accountant”, Months' : 'an owner reopens the month'
            }.`}
      </p>
      {isOwner ? (
        <div className="exp-same">
          <TextField
            label="Why in a closed month"
            value={reason}
            onChange={setReason}
            maxLength={300}
            hint="Stands in the history of the months and in the audit log, with your name."
          />
          <Button
            calls={expensesApi.create}
            disabled={reason.trim() === ''}
            loading={busy}
            onClick={() => {
              setBusy(true)
              void onReason(reason.trim()).finally(() => setBusy(false))
            }}
          >
            Book it all the same
          </Button>
        </div>
      ) : null}
    </Banner>
  )
}

/** The fields of an expense; a new one that looks like one that is there is asked about before it is saved. */
export const ExpenseForm = ({
  expense,
  categories,
  choices,
  onDone,
}: {
  expense: Expense | null
  categories: readonly ExpenseCategory[]
  choices: Choices
  onDone: (saved: Expense) => void
}) => {
  const client = useQueryClient()
  const refresh = useRefresh()
  const add = useAddExpense()
  const change = useChangeExpense()
  const [pictures, setPictures] = useState<Picture[]>([])
  const [same, setSame] = useState<Same | null>(null)
  const [closed, setClosed] = useState<{ message: string; through: Day } | null>(null)
  // The second half of a double click saves nothing a second time, and is not told of either.
  const running = useRef(false)
  const form = useForm<Values>({ defaultValues: valuesOf(expense, choices.today) })
  const { control } = form
  const { save, dialog } = useVersioned<Expense, Body>({
    record: expense,
    read: (record) => bodyOf(valuesOf(record, choices.today)),
    words: words(categories),
    load: () =>
      expense ? client.fetchQuery({ ...expenseQuery(expense.id), staleTime: 0 }) : Promise.resolve(undefined),
  })
  const method = form.watch('method')
  const disabled = expense !== null && !expense.can.update
  const offered = categories
    .filter((one) => !one.archived || one.id === expense?.category.id)
    .map(({ id, name }) => ({ value: id, label: name }))

  const addOne = async (values: Values, { isAnother = false, ...why }: { isAnother?: boolean } & Why) => {
    let saved: Expense
    try {
      saved = await add.mutateAsync({ ...bodyOf(values), ...why, isAnother })
    } catch (error) {
      const id = error instanceof ApiError && typeof error.details.sameId === 'string' ? error.details.sameId : null
      if (!(error instanceof ApiError) || id === null) throw error
      setSame({ message: error.message, id, values })
      return
    }
    setSame(null)
    for (const picture of pictures) {
      try {
        saved = await sendPicture(saved.id, picture)
      } catch (error) {
        toast.error(
          `The expense is saved, but ${picture.file.name} is not: ${error instanceof Error ? error.message : 'it could not be sent.'} Add it again.`,
        )
      }
    }
    refresh(saved)
    toast.success(`${formatCents(saved.totalCents)} for ${saved.category.name} added`)
    onDone(saved)
  }
  const submit = async (values: Values) => {
    if (running.current) return
    running.current = true
    setClosed(null)
    await send(values, {})
      .catch((error: unknown) => {
        if (!(error instanceof ApiError) || typeof error.details.closedThrough !== 'string') throw error
        setClosed({ message: error.message, through: error.details.closedThrough })
      })
      .finally(() => {
        running.current = false
      })
  }
  /** Dates the day that was refused today; null where it is the day on which the expense stands already. */
  const dateToday = (through: Day) => {
    const { day, reimbursedOn } = form.getValues()
    const field =
      reimbursedOn !== null && reimbursedOn <= through && reimbursedOn !== expense?.reimbursedOn
        ? 'reimbursedOn'
        : day !== null && day <= through && (!expense || expense.day > through || expense.totalCents === 0)
          ? 'day'
          : null
    if (field === null) return null
    return () => {
      setClosed(null)
      form.setValue(field, choices.today, { shouldDirty: true })
    }
  }
  const send = async (values: Values, why: Why): Promise<void> => {
    if (!expense) return addOne(values, why)
    await save(bodyOf(values), async (changes, over, also) => {
      const body = { ...bodyOf(valuesOf(over, choices.today)), ...changes, ...why, version: over.version }
      const saved = await change.mutateAsync({ id: over.id, body })
      toast.success(`${expense.review ? 'Looked at: in the books' : 'Saved'}${also}`)
      onDone(saved)
    })
  }
  return (
    <Form form={form} onSubmit={submit} id="expense-form" label={expense ? 'Change the expense' : 'New expense'}>
      {expense ? null : <NewReceipts pictures={pictures} onChange={setPictures} />}
      <fieldset className="exp-bare" disabled={disabled}>
        <FieldGrid min={180}>
          <FormField control={control} name="totalCents" needed="Type what was paid.">
            {(f) => <MoneyField label="Paid" hint="With sales tax" autoFocus={!expense} {...f} />}
          </FormField>
          <FormField control={control} name="day" needed="On which day?">
            {(f) => (
              <DateField
                label="Day"
                today={choices.today}
                max={choices.today}
                hint={oddDay(f.value, choices.today)}
                {...f}
              />
            )}
          </FormField>
        </FieldGrid>
        <VendorField isNew={!expense || expense.review} />
        <FieldGrid min={150}>
          <FormField control={control} name="categoryId" needed="Choose a category.">
            {(f) => <SelectField label="Category" placeholder="Choose" options={offered} {...f} />}
          </FormField>
          <FormField control={control} name="method">
            {(f) => (
              <SelectField
                label="Paid by"
                options={paidMethods.map((value) => ({ value, label: methods[value] }))}
                {...f}
              />
            )}
          </FormField>
          {method === 'personal' ? (
            <FormField control={control} name="paidByUserId" needed="Whose money was it?">
              {(f) => (
                <SelectField
                  label="Whose money"
                  placeholder="Choose"
                  options={choices.people.map(({ id, name }) => ({ value: id, label: name }))}
                  {...f}
                />
              )}
            </FormField>
          ) : null}
          {method === 'personal' ? (
            <FormField control={control} name="reimbursedOn">
              {(f) => <DateField label="Paid back on" optional today={choices.today} max={choices.today} {...f} />}
            </FormField>
          ) : null}
          <FormField control={control} name="taxCents">
            {(f) => <MoneyField label="Sales tax in it" optional {...f} />}
          </FormField>
        </FieldGrid>
        <PartFields choices={choices} disabled={disabled} />
        <FormField control={control} name="note">
          {(f) => <TextAreaField label="Note" optional rows={2} maxLength={1000} {...f} />}
        </FormField>
      </fieldset>
      {same ? (
        <Banner tone="warn" title="Is this the same one?">
          <p>{same.message}</p>
          <div className="exp-same">
            <Button
              size="s"
              calls={expensesApi.create}
              loading={add.isPending}
              onClick={() => void addOne(same.values, { isAnother: true }).catch(toast.error)}
            >
              Save it as another one
            </Button>
            <Button size="s" href={linkTo.expense(same.id)} newTab>
              Look at the other
            </Button>
          </div>
        </Banner>
      ) : null}
      {closed ? (
        <Closed
          message={closed.message}
          onToday={dateToday(closed.through)}
          onReason={(exceptionReason) => send(form.getValues(), { exceptionReason }).catch(toast.error)}
        />
      ) : null}
      {dialog}
    </Form>
  )
}
