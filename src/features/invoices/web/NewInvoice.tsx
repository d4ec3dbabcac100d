import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useFieldArray, useForm } from 'react-hook-form'
import { formatCents } from '../../../shared/money.ts'
import type { PaperWay } from '../../../shared/paper-ways.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { Button } from '../../../ui/Button.tsx'
import { type Choice, ComboboxField } from '../../../ui/ComboboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconPlus, IconTrash } from '../../../ui/icons.ts'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import type { FieldWords } from '../../../ui/TwoAnswers.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useVersioned } from '../../../ui/useVersioned.tsx'
import { useToday } from '../../accounts/web/session.ts'
import { ratesFor, type TaxPlace, type TaxRule } from '../../businesses/taxes/rules.ts'
import { type Invoice, invoicesApi } from '../contract.ts'
import { exemptOn } from '../exemptions/rules.ts'
import { exemptionsQuery } from '../exemptions/web/data.ts'
import { rateLabel } from '../papers/rules.ts'
import { billLines, billToOf, discountTooBig, invoiceName, invoiceTotals, placeOf, placeOfWork } from '../rules.ts'
import { businessQuery, findCustomer, findCustomers, invoiceQuery, useChangeDraft, useCreateInvoice } from './data.ts'

type InvoiceLine = Invoice['lines'][number]

type Line = {
  /** Of a line that stands on the draft: it keeps its visit and its day. */
  lineId?: string
  serviceOn?: string | null
  description: string
  quantity: number | null
  unitPriceCents: number | null
  taxCategory: string
  propertyId: string
}
type Values = {
  customer: Choice | null
  lines: Line[]
  discountCents: number | null
  termsDays: number | null
  message: string
}

const emptyLine: Line = { description: '', quantity: 1, unitPriceCents: null, taxCategory: 'none', propertyId: '' }

const notNegative = (cents: number): string | null =>
  cents < 0 ? 'At least $0.00. To give something back, credit an invoice.' : null

/** How an invoice reaches somebody without an e-mail. */
const noMailHint = (phone: string | null, way: PaperWay): string =>
  way !== 'email' && phone
    ? `No e-mail on file: it goes by text to ${formatPhone(phone)}.`
    : 'No e-mail on file: it can be printed, not mailed.'

/** A tax class by what it puts on the invoice where the work is done. */
const taxLabel = (taxCategory: string, rates: readonly TaxRule[], place: TaxPlace, day: string | null): string =>
  ratesFor(rates, { taxCategory, place, day }).map(rateLabel).join(' + ') || `None here (${taxCategory})`

const lineOf = (line: InvoiceLine): Line => ({
  lineId: line.id,
  serviceOn: line.serviceOn,
  description: line.description,
  quantity: line.quantity,
  unitPriceCents: line.unitPriceCents,
  taxCategory: line.taxCategory,
  propertyId: line.propertyId ?? '',
})

const bodyOf = ({ lineId, serviceOn, ...line }: Line) => ({
  ...(lineId ? { id: lineId } : {}),
  serviceOn: serviceOn ?? null,
  description: line.description,
  quantity: line.quantity ?? 1,
  unitPriceCents: line.unitPriceCents ?? 0,
  taxCategory: line.taxCategory,
  propertyId: line.propertyId || null,
})

/** What of a draft can be changed, as it is sent. */
const readDraft = ({ lines, discountCents, termsDays, message }: Invoice) => ({
  lines: lines.map((line) => bodyOf(lineOf(line))),
  discountCents,
  termsDays,
  message,
})
type Draft = ReturnType<typeof readDraft>

const words: FieldWords<Draft> = {
  lines: { label: 'What for', show: (lines) => lines.map(({ description }) => description).join(', ') },
  discountCents: { label: 'Discount', show: (cents) => formatCents(cents) },
  termsDays: { label: 'Due after', show: (days) => `${days} days` },
  message: 'Message',
}

const Fields = ({
  draft: asked,
  again = null,
  customerId,
  onDone,
  onCancel,
}: {
  /** The draft that is changed; null for a new one. */
  draft: Invoice | null
  /** The voided invoice that is made again; its visits are invoiced as others are. */
  again?: Invoice | null
  customerId: string | null
  onDone: (invoice: Invoice) => void
  onCancel: () => void
}) => {
  const client = useQueryClient()
  const create = useCreateInvoice()
  const change = useChangeDraft()
  const { save, dialog, opened } = useVersioned<Invoice, Draft>({
    record: asked,
    read: readDraft,
    words,
    load: () => (asked ? client.fetchQuery({ ...invoiceQuery(asked.id), staleTime: 0 }) : Promise.resolve(undefined)),
  })
  const [unreadDiscount, setUnreadDiscount] = useState(false)
  const business = useQuery(businessQuery)
  const today = useToday()
  const typed = again?.lines.filter(({ visitId }) => visitId === null) ?? []
  const form = useForm<Values>({
    defaultValues: opened
      ? {
          customer: { value: opened.customer.id, label: opened.customer.name },
          lines: opened.lines.map(lineOf),
          discountCents: opened.discountCents || null,
          termsDays: opened.termsDays,
          message: opened.message,
        }
      : again
        ? {
            customer: { value: again.customer.id, label: again.customer.name },
            lines: typed.map(lineOf),
            discountCents: typed.length === again.lines.length ? again.discountCents || null : null,
            termsDays: again.termsDays,
            message: again.message,
          }
        : { customer: null, lines: [emptyLine], discountCents: null, termsDays: null, message: '' },
  })
  const lines = useFieldArray({ control: form.control, name: 'lines' })
  const values = form.watch()
  const chosen = useQuery({
    queryKey: ['customers', 'one', values.customer?.value ?? customerId],
    queryFn: ({ signal }) => findCustomer(values.customer?.value ?? customerId ?? '', signal),
    enabled: Boolean(values.customer ?? customerId),
  })
  const exempt = useQuery({
    ...exemptionsQuery(values.customer?.value ?? ''),
    enabled: Boolean(values.customer),
  })
  useEffect(() => {
    // Opened from a customer: they are filled in as soon as their name is known.
    if (customerId && chosen.data?.id === customerId && !form.getValues('customer'))
      form.setValue('customer', { value: customerId, label: chosen.data.name })
  }, [customerId, chosen.data, form])

  const person = values.customer ? chosen.data : undefined
  const rates = business.data?.taxRates ?? []
  const categories = [...new Set(rates.map((tax) => tax.taxCategory))]
  // With one rate a line is taxed unless somebody says otherwise; with several nobody can know which one.
  const usualTax = categories.length === 1 ? (categories[0] ?? 'none') : 'none'
  useEffect(() => {
    if (!opened && !again && !form.getFieldState('lines').isDirty)
      form.resetField('lines', { defaultValue: [{ ...emptyLine, taxCategory: usualTax }] })
  }, [usualTax, form, opened, again])
  const places = person?.properties.filter((place) => !place.archivedAt) ?? []
  // where there are several, the one that is shown is the one that is meant
  const usualPlace = places.length > 1 ? (places[0]?.id ?? '') : ''
  const placed = (line: Line) => bodyOf({ ...line, propertyId: line.propertyId || usualPlace })
  const usualTerms = person?.termsDays ?? business.data?.termsDays ?? 14
  const workPlace = (line: Line) => (person ? placeOfWork(line.propertyId, person.properties, person) : {})
  const dayOfWork = (line: Line) => line.serviceOn ?? today
  const isPriced = (line: Line | undefined) =>
    line !== undefined && line.unitPriceCents !== null && Boolean(line.quantity)
  const known = values.lines.every(isPriced) && !unreadDiscount
  const bill = person && billToOf(person, placeOf(values.lines[0]?.propertyId ?? null, person.properties))
  const totals = invoiceTotals(
    values.lines.map((line) => ({
      quantity: line.quantity ?? 0,
      unitPriceCents: line.unitPriceCents ?? 0,
      taxCategory: line.taxCategory,
      place: workPlace(line),
      serviceOn: line.serviceOn ?? null,
      ...(line.serviceOn && exempt.data
        ? { taxExempt: exemptOn(exempt.data.byHand, exempt.data.items, line.serviceOn) }
        : {}),
    })),
    {
      discountCents: values.discountCents ?? 0,
      taxes: rates,
      today,
      taxExempt: exempt.data?.taxExempt ?? person?.taxExempt ?? false,
    },
  )

  /** No sum stands there, nor on the button, that the discount makes impossible. */
  const summed = known && (values.discountCents ?? 0) <= totals.subtotalCents
  const verb = opened ? 'Save changed draft' : 'Save draft'
  const freed = new Set(opened?.lines.flatMap(({ visitId }) => visitId ?? []))
  for (const line of values.lines) {
    const visitId = opened?.lines.find(({ id }) => id === line.lineId)?.visitId
    if (visitId) freed.delete(visitId)
  }

  const submit = async (draft: Values) => {
    if (!draft.customer) return form.setError('customer', { message: 'Who is it for?' }, { shouldFocus: true })
    const wrong = draft.lines.findIndex((line) => line.unitPriceCents === null || !line.quantity || line.quantity <= 0)
    const blank = draft.lines.findIndex((line) => line.description.trim() === '')
    if (blank >= 0)
      return form.setError(`lines.${blank}.description`, { message: 'Say what it is for.' }, { shouldFocus: true })
    const bad = draft.lines[wrong]
    if (bad)
      return form.setError(
        bad.unitPriceCents === null ? `lines.${wrong}.unitPriceCents` : `lines.${wrong}.quantity`,
        { message: bad.unitPriceCents === null ? 'A price is needed.' : 'More than zero.' },
        { shouldFocus: true },
      )
    if ((draft.discountCents ?? 0) > totals.subtotalCents)
      return form.setError('discountCents', { message: discountTooBig(totals.subtotalCents) }, { shouldFocus: true })
    if (opened) {
      const changed: Draft = {
        lines: draft.lines.map(placed),
        discountCents: draft.discountCents ?? 0,
        termsDays: draft.termsDays ?? opened.termsDays,
        message: draft.message,
      }
      await save(changed, async (changes, over, also) => {
        const body = { ...readDraft(over), ...changes, version: over.version }
        const saved = await change.mutateAsync({ id: over.id, body })
        toast.success(`${invoiceName(saved.number)} saved${also}`)
        onDone(saved)
      })
      return
    }
    const invoice = await create.mutateAsync({
      customerId: draft.customer.value,
      message: draft.message,
      discountCents: draft.discountCents ?? 0,
      ...(draft.termsDays === null ? {} : { termsDays: draft.termsDays }),
      ...(again ? { madeFrom: again.id } : {}),
      lines: draft.lines.map(placed),
    })
    toast.success(`${invoiceName(invoice.number)} is a draft now`)
    onDone(invoice)
  }

  return (
    <Form form={form} onSubmit={submit} label={opened ? invoiceName(opened.number) : 'New invoice'} className="inv-new">
      {dialog}
      {again && typed.length < again.lines.length ? (
        <p className="hint">The visits that stood on it are left out: they wait to be invoiced again.</p>
      ) : null}
      {opened || again ? null : (
        <FormField control={form.control} name="customer">
          {(f) => (
            <ComboboxField
              {...f}
              label="Customer"
              autoFocus={customerId === null}
              placeholder="Name, street or e-mail"
              search={findCustomers}
              emptyText="Nobody found. Add them under Customers first."
              hint={
                person && !person.email
                  ? noMailHint(person.phone, person.paperWay ?? business.data?.paperWay ?? 'email')
                  : undefined
              }
            />
          )}
        </FormField>
      )}
      {bill ? (
        <p className="inv-new__bill">
          <span className="muted">Bill to</span> {billLines(bill).join(', ')}
        </p>
      ) : null}
      <fieldset className={`inv-new__lines${categories.length ? ' has-tax' : ''}`}>
        <legend>What for</legend>
        {lines.fields.map((line, at) => (
          <div key={line.id} className="inv-new__line">
            <FormField control={form.control} name={`lines.${at}.description`}>
              {(f) => (
                <TextField
                  {...f}
                  label="Description"
                  hideLabel={at > 0}
                  maxLength={300}
                  placeholder="Spring clean-up"
                />
              )}
            </FormField>
            <FormField control={form.control} name={`lines.${at}.quantity`}>
              {(f) => <NumberField {...f} label="Quantity" hideLabel={at > 0} min={0} />}
            </FormField>
            <FormField control={form.control} name={`lines.${at}.unitPriceCents`}>
              {(f) => <MoneyField {...f} label="Price" hideLabel={at > 0} refuse={notNegative} />}
            </FormField>
            {categories.length ? (
              <FormField control={form.control} name={`lines.${at}.taxCategory`}>
                {(f) => (
                  <SelectField
                    {...f}
                    label="Tax"
                    hideLabel={at > 0}
                    options={[
                      { value: 'none', label: 'Not taxed' },
                      ...categories.map((category) => ({
                        value: category,
                        label: taxLabel(
                          category,
                          rates,
                          workPlace(values.lines[at] ?? emptyLine),
                          dayOfWork(values.lines[at] ?? emptyLine),
                        ),
                      })),
                    ]}
                  />
                )}
              </FormField>
            ) : null}
            {places.length > 1 ? (
              <FormField control={form.control} name={`lines.${at}.propertyId`}>
                {(f) => (
                  <SelectField
                    {...f}
                    className="inv-new__where"
                    label="Where"
                    hideLabel={at > 0}
                    value={f.value || (places[0]?.id ?? '')}
                    options={places.map((place) => ({ value: place.id, label: place.street }))}
                  />
                )}
              </FormField>
            ) : null}
            <span className="inv-new__sum num">
              {isPriced(values.lines[at]) ? formatCents(totals.lines[at]?.totalCents ?? 0) : '–'}
            </span>
            <IconButton
              label="Remove this line"
              icon={<IconTrash />}
              disabled={lines.fields.length === 1}
              onClick={() => lines.remove(at)}
              tooltip={false}
            />
          </div>
        ))}
        <Button
          kind="quiet"
          size="s"
          icon={<IconPlus />}
          onClick={() => lines.append({ ...emptyLine, taxCategory: usualTax })}
        >
          Add a line
        </Button>
        {freed.size > 0 ? (
          <p className="hint">
            {freed.size === 1 ? 'One visit has' : `${freed.size} visits have`} no line left: it is not billed here and
            waits to be invoiced again.
          </p>
        ) : null}
      </fieldset>
      <FieldGrid min={180}>
        <FormField control={form.control} name="discountCents">
          {(f) => (
            <MoneyField
              {...f}
              label="Discount"
              optional
              refuse={notNegative}
              onChange={(cents, unread) => {
                setUnreadDiscount(unread)
                f.onChange(cents)
              }}
            />
          )}
        </FormField>
        <FormField control={form.control} name="termsDays">
          {(f) => (
            <NumberField
              {...f}
              label="Due after"
              unit="days"
              optional
              placeholder={String(usualTerms)}
              min={0}
              max={365}
            />
          )}
        </FormField>
        <FormField control={form.control} name="message">
          {(f) => (
            <TextAreaField
              {...f}
              className="is-whole"
              label="Message"
              optional
              rows={2}
              maxLength={1000}
              hint={`Stands on the invoice and in its mail.${opened ? '' : ' Empty takes the one from your settings.'}`}
            />
          )}
        </FormField>
      </FieldGrid>
      <dl className="inv-new__totals num" aria-live="polite">
        <div>
          <dt>Subtotal</dt>
          <dd>{known ? formatCents(totals.subtotalCents) : '–'}</dd>
        </div>
        {summed && totals.discountCents > 0 ? (
          <div>
            <dt>Discount</dt>
            <dd>{formatCents(-totals.discountCents)}</dd>
          </div>
        ) : null}
        {(summed ? totals.taxes : []).map((tax) => (
          <div key={`${tax.name}:${tax.ratePercent}:${tax.baseCents}`}>
            <dt>{rateLabel(tax)}</dt>
            <dd>{formatCents(tax.taxCents)}</dd>
          </div>
        ))}
        <div className="is-strong">
          <dt>Total</dt>
          <dd>{summed ? formatCents(totals.totalCents) : '–'}</dd>
        </div>
      </dl>
      <FormActions>
        <Button
          calls={opened ? invoicesApi.change : invoicesApi.create}
          type="submit"
          kind="primary"
          loading={form.formState.isSubmitting}
        >
          {summed ? `${verb} of ${formatCents(totals.totalCents)}` : verb}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

type Props = { open: boolean; customerId: string | null; onClose: () => void; onDone: (invoice: Invoice) => void }

/** An invoice by hand: for what was sold beside the visits. It is a draft first; sending is the next click. */
export const NewInvoice = ({ open, customerId, onClose, onDone }: Props) => (
  <Dialog open={open} onClose={onClose} title="New invoice" size="l" closeOnOutside={false}>
    <Fields draft={null} customerId={customerId} onDone={onDone} onCancel={onClose} />
  </Dialog>
)

/** A voided invoice once more, as a draft that can be changed before it is saved. */
export const MakeAgain = ({
  invoice,
  open,
  onClose,
  onDone,
}: {
  invoice: Invoice
  open: boolean
  onClose: () => void
  onDone: (invoice: Invoice) => void
}) => (
  <Dialog
    open={open}
    onClose={onClose}
    title={`Make ${invoiceName(invoice.number)} again`}
    size="l"
    closeOnOutside={false}
  >
    <Fields draft={null} again={invoice} customerId={invoice.customer.id} onDone={onDone} onCancel={onClose} />
  </Dialog>
)

/** What stands on a draft, to be changed until it is issued. */
export const ChangeDraft = ({ invoice, open, onClose }: { invoice: Invoice; open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title={`Change ${invoiceName(invoice.number)}`} size="l" closeOnOutside={false}>
    <Fields draft={invoice} customerId={invoice.customer.id} onDone={onClose} onCancel={onClose} />
  </Dialog>
)
