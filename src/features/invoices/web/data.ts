import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { z } from 'zod'
import { call, fetchFile, urlOf } from '../../../shared/client.ts'
import { saveFile } from '../../../ui/saveFile.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { businessesApi } from '../../businesses/contract.ts'
import { customersApi } from '../../customers/contract.ts'
import { cardsApi } from '../../payments/cards/contract.ts'
import { paymentsApi } from '../../payments/contract.ts'
import { type Corrected, correctionsApi } from '../../payments/corrections/contract.ts'
import { creditsApi } from '../../payments/credits/contract.ts'
import type { InvoiceView } from '../aging/contract.ts'
import { type Invoice, type InvoiceChoice, invoicesApi } from '../contract.ts'
import { exportsApi } from '../exports/contract.ts'
import type { ExportKind } from '../exports/rules.ts'
import { papersApi } from '../papers/contract.ts'
import { printingApi } from '../printing/contract.ts'
import type { Grouping } from '../rules.ts'
import { statementsApi } from '../statements/contract.ts'

export type InvoiceQuery = {
  view: z.output<typeof InvoiceView>
  search?: string
  batchId?: string
  customerId?: string
  sort: 'number' | 'due' | 'total' | 'customer'
  order: 'asc' | 'desc'
}
export type Period = { from?: string; to?: string; grouping?: Grouping }

export const invoicesQuery = (query: InvoiceQuery) =>
  infiniteQueryOptions({
    queryKey: ['invoices', 'list', query],
    queryFn: ({ pageParam, signal }) =>
      call(
        invoicesApi.list,
        { query: { ...query, limit: 100, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })

export const invoiceQuery = (id: string) =>
  queryOptions({
    queryKey: ['invoices', 'one', id],
    queryFn: ({ signal }) => call(invoicesApi.get, { params: { id } }, { signal }),
    // nobody says that a payment page was closed: its time runs out
    refetchInterval: (query) => (query.state.data?.checkoutOpen ? 60_000 : false),
  })

// A finished lawn is what changes them; so does who is billed, and by what.
const invoiceable = { live: { topics: ['visits', 'invoices', 'customers', 'jobs'], everyMs: 2_000 } } as const

/** How much could be invoiced right now. */
export const invoiceableQuery = queryOptions({
  queryKey: ['invoices', 'count'],
  meta: invoiceable,
  queryFn: ({ signal }) => call(invoicesApi.countInvoiceable, {}, { signal }),
})

/** What could be invoiced right now. */
export const previewQuery = (period: Period) =>
  queryOptions({
    queryKey: ['invoices', 'invoiceable', period],
    meta: invoiceable,
    queryFn: ({ signal }) => call(invoicesApi.preview, { query: period }, { signal }),
    placeholderData: keepPreviousData,
  })

/** How far a batch is; every chunk says that it changed, and who misses that asks by itself. */
export const batchQuery = (id: string) =>
  queryOptions({
    queryKey: ['invoices', 'batch', id],
    queryFn: ({ signal }) => call(invoicesApi.getBatch, { params: { id } }, { signal }),
    refetchInterval: (query) => (query.state.data?.status === 'running' ? 2_000 : false),
    // what comes back is said by its message
    meta: { live: { topics: ['invoices', 'messages'] } },
  })

export const businessQuery = queryOptions({
  queryKey: ['business'],
  queryFn: ({ signal }) => call(businessesApi.get, {}, { signal }),
})

/** The customers that the form by hand offers while somebody types. */
export const findCustomers = async (text: string, signal: AbortSignal) => {
  const { items } = await call(customersApi.list, { query: { limit: 20, ...(text ? { q: text } : {}) } }, { signal })
  return items.map((item) => ({
    value: item.id,
    label: item.name,
    hint: [item.street, item.email ?? 'no e-mail'].filter(Boolean).join(' · '),
  }))
}

export const findCustomer = (id: string, signal?: AbortSignal) =>
  call(customersApi.get, { params: { id } }, signal ? { signal } : {})

/** What was asked for is on the screen at once; every list and count follows, and what the answer brought is not asked for again. */
const useRefresh = () => {
  const client = useQueryClient()
  return (invoice?: Invoice) => {
    const own = invoice ? invoiceQuery(invoice.id).queryKey : null
    if (invoice && own) client.setQueryData(own, invoice)
    void client.invalidateQueries({
      predicate: ({ queryKey: [topic, kind, id] }) =>
        (topic === 'invoices' || topic === 'customers' || topic === 'dashboard') &&
        !(own && topic === own[0] && kind === own[1] && id === own[2]),
    })
  }
}

export type Verb = 'send' | 'issue' | 'remind' | 'reinstate'

export const useInvoiceVerb = (id: string) => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (verb: Verb, key) => call(invoicesApi[verb], { params: { id } }, { idempotencyKey: key }),
    onSuccess: (invoice) => refresh(invoice),
  })
}

export const useMany = () => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: ({ verb, choice }: { verb: 'sendMany' | 'remindMany'; choice: InvoiceChoice }, key) =>
      call(invoicesApi[verb], { body: choice }, { idempotencyKey: key }),
    onSuccess: () => refresh(),
  })
}

export type PaymentDraft = {
  method: 'check' | 'cash' | 'card' | 'ach' | 'other'
  amountCents: number
  tipCents: number
  cashDiscount?: boolean
  others?: boolean
  receivedOn: string
  note: string
  exceptionReason?: string
}

export const useRecordPayment = (id: string) => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (body: PaymentDraft, key) =>
      call(paymentsApi.recordPayment, { params: { id }, body }, { idempotencyKey: key }),
    onSuccess: () => refresh(),
  })
}

export type InvoiceDraft = z.input<(typeof invoicesApi)['create']['body']>

export const useCreateInvoice = () => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (body: InvoiceDraft, key) => call(invoicesApi.create, { body }, { idempotencyKey: key }),
    onSuccess: (invoice) => refresh(invoice),
  })
}

type ReminderChange = z.input<(typeof invoicesApi)['setReminders']['body']>

/** A promise to pay, or whether reminders leave by themselves. */
export const useSetReminders = (id: string) => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (body: ReminderChange, key) =>
      call(invoicesApi.setReminders, { params: { id }, body }, { idempotencyKey: key }),
    onSuccess: (invoice) => refresh(invoice),
  })
}

type DraftChange = z.input<(typeof invoicesApi)['change']['body']>

export const useChangeDraft = () => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: ({ id, body }: { id: string; body: DraftChange }, key) =>
      call(invoicesApi.change, { params: { id }, body }, { idempotencyKey: key }),
    onSuccess: (invoice) => refresh(invoice),
  })
}

export const useWriteOff = (id: string) => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (reason: string, key) =>
      call(invoicesApi.writeOff, { params: { id }, body: { reason } }, { idempotencyKey: key }),
    onSuccess: (invoice) => refresh(invoice),
  })
}

/** Takes an invoice back. */
export const useVoid = (id: string) => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (reason: string, key) =>
      call(invoicesApi.voidInvoice, { params: { id }, body: { reason } }, { idempotencyKey: key }),
    onSuccess: (invoice) => refresh(invoice),
  })
}

/** Charges a late fee that rests because the customer answered, or lets it go. */
export const useSettleFee = (id: string) => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (charge: boolean, key) =>
      call(invoicesApi.settleFee, { params: { id }, body: { charge } }, { idempotencyKey: key }),
    onSuccess: (invoice) => refresh(invoice),
  })
}

/** Lets a late fee go. */
export const useWaiveFee = (id: string) => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (reason: string, key) =>
      call(invoicesApi.waiveFee, { params: { id }, body: { reason } }, { idempotencyKey: key }),
    onSuccess: (invoice) => refresh(invoice),
  })
}

type Corrections = Pick<
  typeof correctionsApi,
  'useCredit' | 'creditInvoice' | 'giveCredit' | 'reversePayment' | 'takeOff' | 'refundPayment' | 'takeRefundBack'
>

/** Sets something right with money: of an invoice, a customer or a payment, by its id. */
export const useCorrection = <Name extends keyof Corrections>(name: Name, id: string) => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (body: z.input<Corrections[Name]['body']>, key) =>
      call(correctionsApi[name], { params: { id }, body } as never, { idempotencyKey: key }) as Promise<Corrected>,
    onSuccess: () => refresh(),
  })
}

export type DepositDraft = z.input<(typeof creditsApi)['recordDeposit']['body']>

export const useDeposit = (customerId: string) => {
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (body: DepositDraft, key) =>
      call(creditsApi.recordDeposit, { params: { id: customerId }, body }, { idempotencyKey: key }),
    onSuccess: () => refresh(),
  })
}

/** The work of a customer that a deposit can be for. */
export const currentJobsQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['customers', 'current-jobs', customerId],
    meta: { live: { topics: ['jobs', 'customers'] } },
    queryFn: async ({ signal }) => {
      const { jobs } = await findCustomer(customerId, signal)
      return jobs.filter(({ status }) => status === 'draft' || status === 'active' || status === 'paused')
    },
  })

/** What of a customer's money lies on no invoice. */
export const creditsQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['customers', 'credits', customerId],
    meta: { live: { topics: ['customers', 'payments', 'invoices'] } },
    queryFn: ({ signal }) => call(correctionsApi.listCredits, { params: { id: customerId } }, { signal }),
  })

export const useCreateBatch = () => {
  const client = useQueryClient()
  const refresh = useRefresh()
  return useIdempotentMutation({
    mutationFn: (body: Period & { exceptVisitIds: string[]; send: boolean }, key) =>
      call(invoicesApi.createBatch, { body }, { idempotencyKey: key }),
    onSuccess: (batch) => client.setQueryData(batchQuery(batch.batchId).queryKey, batch),
    onSettled: () => refresh(),
  })
}

export const useSettleVisit = () => {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ visitId, body }: { visitId: string; body: { priceCents: number } | { billable: boolean } }) =>
      call(invoicesApi.settleVisit, { params: { visitId }, body }),
    onSuccess: () => refresh(),
  })
}

/** Fetches the PDF and hands it to the browser. */
export const downloadPdf = async (invoice: { id: string; name: string }): Promise<void> => {
  const { blob } = await fetchFile(invoicesApi.pdf, { params: { id: invoice.id } })
  saveFile(blob, `${invoice.name}.pdf`)
}

/** Fetches chosen invoices as one PDF to print and hands it to the browser. */
export const usePrintMany = () => {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async (choice: InvoiceChoice) => {
      const { blob } = await fetchFile(printingApi.printMany, { body: choice })
      saveFile(blob, 'Invoices.pdf')
    },
    onSuccess: () => refresh(),
  })
}

/** From which day a statement goes that begins when they last owed nothing. */
export const sinceZeroQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['customers', 'statement', customerId, 'since-zero'],
    queryFn: ({ signal }) => call(statementsApi.sinceZero, { params: { id: customerId } }, { signal }),
  })

/** What a customer owed and paid in a period. */
export const statementQuery = (customerId: string, period: { from: string; to: string }) =>
  queryOptions({
    queryKey: ['customers', 'statement', customerId, period],
    meta: { live: { topics: ['customers', 'payments', 'invoices'] } },
    queryFn: ({ signal }) => call(statementsApi.get, { params: { id: customerId }, query: period }, { signal }),
    placeholderData: keepPreviousData,
  })

export const useSendStatement = (customerId: string) =>
  useIdempotentMutation({
    mutationFn: (body: { from: string; to: string }, key) =>
      call(statementsApi.send, { params: { id: customerId }, body }, { idempotencyKey: key }),
  })

/** Who would get a statement when all who owe do. */
export const openStatementsQuery = queryOptions({
  queryKey: ['invoices', 'statements'],
  queryFn: ({ signal }) => call(statementsApi.findOpen, {}, { signal }),
  staleTime: 0,
})

/** The last sending to all who owe; while it goes on it is asked again and again. */
export const lastStatementRunQuery = queryOptions({
  queryKey: ['invoices', 'statements', 'last'],
  queryFn: ({ signal }) => call(statementsApi.lastRun, {}, { signal }),
  staleTime: 0,
  refetchInterval: (query) => (query.state.data?.run?.status === 'running' ? 1_000 : false),
})

export const useSendOpenStatements = () => {
  const queries = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (body: { from: string; to: string; count: number; lastId: string | null }, key) =>
      call(statementsApi.sendOpen, { body }, { idempotencyKey: key }),
    onSuccess: (run) => queries.setQueryData(lastStatementRunQuery.queryKey, { run }),
  })
}

export const useStatementLink = (customerId: string) =>
  useIdempotentMutation({
    mutationFn: (_: undefined, key) =>
      call(statementsApi.link, { params: { id: customerId } }, { idempotencyKey: key }),
  })

export const useRevokeStatementLink = (customerId: string) =>
  useIdempotentMutation({
    mutationFn: (_: undefined, key) =>
      call(statementsApi.revokeLink, { params: { id: customerId } }, { idempotencyKey: key }),
  })

/** Fetches a statement as PDF and hands it to the browser. */
export const downloadStatement = async (customerId: string, period: { from: string; to: string }): Promise<void> => {
  const { blob } = await fetchFile(statementsApi.pdf, { params: { id: customerId }, query: period })
  saveFile(blob, `Statement ${period.from} to ${period.to}.pdf`)
}

/** Fetches a file for the accountant and hands it to the browser. */
export const downloadExport = async (kind: ExportKind, period: { from: string; to: string }): Promise<void> => {
  const { blob, name } = await fetchFile(exportsApi.csv, { query: { kind, ...period } })
  saveFile(blob, name ?? `${kind}.csv`)
}

/** Fetches the receipt of a payment, or its credit note, and hands it to the browser. */
export const downloadPaper = async (payment: { id: string; name: string }): Promise<void> => {
  const { blob } = await fetchFile(papersApi.paymentPdf, { params: { id: payment.id } })
  saveFile(blob, `${payment.name}.pdf`)
}

// The public page: whoever has the link. Its queries stand apart from the office's topics.
const asStranger = { retries: 1 }

export const publicInvoiceQuery = (token: string) =>
  queryOptions({
    queryKey: ['public-invoice', token],
    queryFn: ({ signal }) => call(paymentsApi.publicInvoice, { params: { token } }, { signal, ...asStranger }),
    staleTime: 0,
  })

export const sayViewed = (token: string) => call(paymentsApi.viewed, { params: { token } }, asStranger)
/** The same page, on which the card is kept: its holder agreed to the words of this version. */
export const openCheckoutAndSave = (token: string, mandate: string) =>
  call(cardsApi.payAndSave, { params: { token }, body: { mandate } }, asStranger)

export const turnAutopayOff = (token: string) => call(cardsApi.stopAutopay, { params: { token } }, asStranger)

export const openCheckout = (token: string) => call(paymentsApi.pay, { params: { token } }, asStranger)
/** From a bank account alone, less the discount for that. */
export const openBankCheckout = (
  token: string,
  body: { tipCents: number; withFees: boolean; mandate: string | null },
) => call(paymentsApi.payByBank, { params: { token }, body }, asStranger)
export const openCheckoutForAll = (token: string) => call(paymentsApi.payAll, { params: { token } }, asStranger)
/** For a part of it that the payer chose. */
export const openCheckoutForPart = (token: string, amountCents: number) =>
  call(paymentsApi.payPart, { params: { token }, body: { amountCents } }, asStranger)
/** The same with a tip that the payer chose. */
export const openCheckoutWithTip = (
  token: string,
  body: { tipCents: number; withFees: boolean; mandate: string | null },
) => call(paymentsApi.payWithTip, { params: { token }, body }, asStranger)
export const syncPayment = (token: string) => call(paymentsApi.sync, { params: { token } }, { retries: 0 })
export const publicPdfHref = (token: string) => urlOf(paymentsApi.publicPdf, { params: { token } })
