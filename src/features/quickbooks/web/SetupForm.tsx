import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { addMonths, type Day, formatDay } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday } from '../../accounts/web/session.ts'
import { type Books, type BooksChoices, quickbooksApi } from '../contract.ts'
import { type AccountRole, accountRoles, optionalRoles, roleNames, type TaxMode } from '../rules.ts'
import { choicesQuery, useBooks } from './data.ts'

type Values = Record<AccountRole, string> & {
  taxMode: TaxMode
  taxCode: string
  startOn: Day | null
  categories: Record<string, string>
}

/** What is usually meant, where the books have an account that is called so; the owner sees it and says yes. */
const usual: Record<AccountRole, RegExp> = {
  income: /landscap|lawn|services|sales/i,
  deposit: /undeposited|payments to deposit/i,
  bank: /checking/i,
  card: /credit card|visa|mastercard|amex/i,
  cash: /petty|cash|till/i,
  expense: /uncategorized|other/i,
  receivable: /receivable/i,
  tax: /sales tax/i,
  tips: /\btips?\b/i,
  discounts: /discounts?\b/i,
}
/** What it means that no account is chosen. */
const without: Partial<Record<AccountRole, string>> = {
  card: 'None: nothing is paid by card',
  cash: 'None: nothing is paid in cash',
  tips: 'None: no tips are taken',
  discounts: 'None: discounts lower your income',
}
const guess = (role: AccountRole, options: BooksChoices['accounts'][AccountRole]): string =>
  (
    options?.find(({ name }) => usual[role].test(name)) ??
    (options?.length === 1 && !optionalRoles.includes(role) ? options[0] : undefined)
  )?.id ?? ''

const Fields = ({
  books,
  choices,
  onSaved,
}: {
  books: Books
  choices: BooksChoices
  onSaved?: (() => void) | undefined
}) => {
  const today = useToday()
  const { setUp } = useBooks()
  const { setup } = books
  const form = useForm<Values>({
    defaultValues: {
      ...(Object.fromEntries(
        roleNames.map((role) => [role, setup?.accounts[role] ?? guess(role, choices.accounts[role])]),
      ) as Record<AccountRole, string>),
      taxMode: setup?.taxMode ?? 'line',
      taxCode: setup?.taxCode ?? '',
      startOn: setup?.startOn ?? `${today.slice(0, 7)}-01`,
      categories: setup?.accounts.categories ?? {},
    },
  })
  const { control } = form
  const [taxMode, startOn] = [form.watch('taxMode'), form.watch('startOn')]
  const submit = async ({ taxMode: mode, taxCode, startOn: from, categories, ...accounts }: Values) => {
    const chosen = Object.fromEntries(Object.entries(categories).filter(([, account]) => account))
    const saved = await setUp.mutateAsync({
      accounts: {
        ...accounts,
        tips: accounts.tips || null,
        discounts: accounts.discounts || null,
        card: accounts.card || null,
        cash: accounts.cash || null,
        cardIsDebit: choices.accounts.bank.some(({ id }) => id === accounts.card),
        categories: chosen,
      },
      taxMode: mode,
      taxCode: mode === 'code' ? taxCode || null : null,
      startOn: from ?? '',
      version: books.version,
    })
    toast.success(saved.gathering ? 'Saved. What happened since then is being gathered.' : 'Saved')
    onSaved?.()
  }
  return (
    <Form form={form} onSubmit={submit} label="QuickBooks set-up">
      <FieldGrid min={240}>
        {roleNames.map((role) => (
          <FormField
            key={role}
            control={control}
            name={role}
            {...(optionalRoles.includes(role) ? {} : { needed: 'Choose an account.' })}
          >
            {(f) => (
              <SelectField
                label={accountRoles[role].label}
                hint={
                  (choices.accounts[role] ?? []).length > 0
                    ? accountRoles[role].hint
                    : `Your books have no account of this kind (${accountRoles[role].types.join(' or ')}). Make one in QuickBooks, then load this page again.`
                }
                placeholder={without[role] ?? 'Choose'}
                optional={optionalRoles.includes(role)}
                options={(choices.accounts[role] ?? []).map(({ id, name }) => ({ value: id, label: name }))}
                {...f}
              />
            )}
          </FormField>
        ))}
      </FieldGrid>
      <FormField control={control} name="taxMode">
        {(f) => (
          <RadioField
            label="Sales tax"
            options={[
              {
                value: 'line',
                label: 'As a line of its own, owed from the sales tax account',
                hint: 'Always the same cent as on your invoice.',
              },
              {
                value: 'code',
                label: 'By a tax code of QuickBooks, with our amount',
                hint: 'Where you file sales tax in QuickBooks. A total that comes out another way is shown to you.',
              },
            ]}
            {...f}
          />
        )}
      </FormField>
      {taxMode === 'code' ? (
        <FormField control={control} name="taxCode" needed="Choose a tax code.">
          {(f) => (
            <SelectField
              label="Tax code"
              placeholder="Choose"
              options={choices.taxCodes.map(({ id, name }) => ({ value: id, label: name }))}
              {...f}
            />
          )}
        </FormField>
      ) : null}
      <FormField control={control} name="startOn" needed="From which day on?">
        {(f) => (
          <DateField
            label="Send from this day on"
            hint="Invoices, payments, credits and expenses dated before it stay out. Begin where your books end today."
            today={today}
            max={today}
            min={addMonths(today, -24)}
            {...f}
          />
        )}
      </FormField>
      {setup && startOn && startOn > setup.startOn ? (
        <Banner>
          What was sent since {formatDay(setup.startOn, { year: true })} stays in QuickBooks; it is not changed there
          any more.
        </Banner>
      ) : null}
      <details>
        <summary>Accounts for categories of expenses</summary>
        <FieldGrid min={220}>
          {choices.categories.map(({ id, name }) => (
            <FormField key={id} control={control} name={`categories.${id}`}>
              {(f) => (
                <SelectField
                  label={name}
                  placeholder="The expense account above"
                  options={(choices.accounts.expense ?? []).map((one) => ({ value: one.id, label: one.name }))}
                  {...f}
                />
              )}
            </FormField>
          ))}
        </FieldGrid>
      </details>
      <FormActions>
        <Button type="submit" kind="primary" calls={quickbooksApi.setUp} loading={setUp.isPending}>
          {setup ? 'Save' : 'Save and begin sending'}
        </Button>
      </FormActions>
    </Form>
  )
}

/** Which accounts things are booked to: asked of the books as they are now. */
export const SetupForm = ({ books, onSaved }: { books: Books; onSaved?: () => void }) => {
  const choices = useQuery(choicesQuery)
  if (choices.data) return <Fields books={books} choices={choices.data} onSaved={onSaved} />
  if (choices.isError)
    return (
      <ErrorState
        error={choices.error}
        title="We could not ask for your accounts"
        onRetry={() => void choices.refetch()}
        retrying={choices.isFetching}
      />
    )
  return <PanelSkeleton />
}
