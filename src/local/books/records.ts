import { centsOf, dollarsOf, type Remote } from '../../platform/books/client.ts'
import { all, type Kept, nextId, read, type Tx, takeFault, write } from './store.ts'

// What the played books do with a record: the rules of the real ones that a mistake of ours would break.

/** A clear no, with the number by which the real books say it. */
export class Refused extends Error {
  readonly code: string
  constructor(code: string, detail: string) {
    super(detail)
    this.code = code
  }
}

const lists = ['Customer', 'Item', 'Account', 'PaymentMethod']
const sums = ['Invoice', 'CreditMemo', 'Purchase', 'Deposit']

const nameOf = (record: Remote): string => record.DisplayName ?? record.Name ?? ''

const checkNames = async (
  tx: Tx,
  realm: string,
  type: string,
  record: Remote,
  id: string | undefined,
): Promise<void> => {
  const name = nameOf(record).toLowerCase()
  if (!name) throw new Refused('2020', 'Required param missing, need to supply the required value for the API')
  const twin = (await all(tx, realm, type)).find((one) => one.Id !== id && nameOf(one).toLowerCase() === name)
  if (twin || (await takeFault(tx, realm, '6240')))
    throw new Refused('6240', `The name supplied already exists. : Id=${twin?.Id ?? '0'}`)
}

const checkRef = async (tx: Tx, realm: string, type: string, id: string | undefined): Promise<void> => {
  const found = id ? await read<Kept>(tx, realm, type, id) : null
  if (!found || found.Active === false || found.status === 'Deleted')
    throw new Refused(
      '610',
      `Object Not Found : Something you're trying to use has been made inactive. Check the fields with accounts, customers, items, vendors or employees. (${type} ${id})`,
    )
}

const checkRefs = async (tx: Tx, realm: string, record: Remote): Promise<void> => {
  if (await takeFault(tx, realm, '610')) await checkRef(tx, realm, 'Item', '0')
  if (record.CustomerRef) await checkRef(tx, realm, 'Customer', record.CustomerRef.value)
  if (record.PaymentMethodRef) await checkRef(tx, realm, 'PaymentMethod', record.PaymentMethodRef.value)
  for (const ref of [record.IncomeAccountRef, record.DepositToAccountRef, record.AccountRef])
    if (ref) await checkRef(tx, realm, 'Account', ref.value)
  for (const line of record.Line ?? []) {
    if (line.SalesItemLineDetail) await checkRef(tx, realm, 'Item', line.SalesItemLineDetail.ItemRef.value)
    if (line.DepositLineDetail) await checkRef(tx, realm, 'Account', line.DepositLineDetail.AccountRef.value)
    if (line.AccountBasedExpenseLineDetail)
      await checkRef(tx, realm, 'Account', line.AccountBasedExpenseLineDetail.AccountRef.value)
    for (const { TxnId, TxnType } of line.LinkedTxn ?? []) await checkRef(tx, realm, TxnType, TxnId)
  }
}

const checkBooks = async (tx: Tx, realm: string, type: string, record: Remote, id: string | undefined) => {
  const company = await read<{ closedThrough?: string }>(tx, realm, '_company', 'settings')
  if (
    (company?.closedThrough && (record.TxnDate ?? '') <= company.closedThrough) ||
    (await takeFault(tx, realm, '6210'))
  )
    throw new Refused('6210', 'The account period has closed and the account books cannot be updated.')
  if (!record.DocNumber || type === 'Purchase') return
  const twin = (await all(tx, realm, type)).find((one) => one.Id !== id && one.DocNumber === record.DocNumber)
  if (twin)
    throw new Refused(
      '6140',
      `Duplicate Document Number Error : DocNumber=${record.DocNumber} is assigned to TxnId=${twin.Id}`,
    )
}

const totalOf = (record: Remote): number =>
  (record.Line ?? []).reduce(
    (sum, line) => sum + (line.DetailType === 'DiscountLineDetail' ? -1 : 1) * centsOf(line.Amount),
    0,
  ) + centsOf(record.TxnTaxDetail?.TotalTax)

/** Puts what a payment pays on what it pays, or takes it off: what it is put on has a new token then. */
const settle = async (tx: Tx, realm: string, payment: Remote, sign: 1 | -1): Promise<void> => {
  for (const line of payment.Line ?? [])
    for (const { TxnId, TxnType } of line.LinkedTxn ?? []) {
      const target = await read<Kept>(tx, realm, TxnType, TxnId)
      if (!target) continue
      const Balance = dollarsOf(centsOf(target.Balance) - sign * centsOf(line.Amount))
      await write(tx, realm, TxnType, TxnId, { ...target, Balance, SyncToken: String(Number(target.SyncToken) + 1) })
    }
}

const kept = (type: string, record: Remote, Id: string, SyncToken: number, paidCents = 0): Kept => {
  const total = sums.includes(type) ? dollarsOf(totalOf(record)) : record.TotalAmt
  return {
    Active: true,
    ...record,
    Id,
    SyncToken: String(SyncToken),
    ...(total === undefined ? {} : { TotalAmt: total }),
    ...(type === 'Invoice' || type === 'CreditMemo' ? { Balance: dollarsOf(totalOf(record) - paidCents) } : {}),
  }
}

const depositOf = async (tx: Tx, realm: string, paymentId: string): Promise<Kept | undefined> =>
  (await all(tx, realm, 'Deposit')).find(({ Line }) =>
    Line?.some((line) => line.LinkedTxn?.some(({ TxnId }) => TxnId === paymentId)),
  )

/** A deposit takes whole payments out of Undeposited Funds, each once, and is never below zero. */
const checkDeposit = async (tx: Tx, realm: string, record: Remote, id: string | undefined): Promise<void> => {
  if (totalOf(record) <= 0)
    throw new Refused('6000', 'A business validation error has occurred : The amount of a deposit must be positive')
  for (const line of record.Line ?? [])
    for (const { TxnId } of line.LinkedTxn ?? []) {
      const payment = await read<Kept>(tx, realm, 'Payment', TxnId)
      const account = await read<Kept>(tx, realm, 'Account', payment?.DepositToAccountRef?.value ?? '')
      const other = await depositOf(tx, realm, TxnId)
      if (
        account?.AccountSubType !== 'UndepositedFunds' ||
        (other && other.Id !== id) ||
        centsOf(payment?.TotalAmt) !== centsOf(line.Amount)
      )
        throw new Refused('6000', 'A business validation error has occurred : This payment cannot be put on a deposit')
    }
}

/** What stands on a deposit keeps its amount and its account. */
const checkDeposited = async (tx: Tx, realm: string, before: Kept, next: Remote): Promise<void> => {
  const isSame =
    centsOf(before.TotalAmt) === centsOf(next.TotalAmt) &&
    before.DepositToAccountRef?.value === next.DepositToAccountRef?.value
  if (!isSame && (await depositOf(tx, realm, before.Id)))
    throw new Refused('6540', 'Deposited Transaction cannot be changed : Delete the deposit that it is on first.')
}

const check = async (tx: Tx, realm: string, type: string, record: Remote, id?: string): Promise<void> => {
  if (lists.includes(type)) await checkNames(tx, realm, type, record, id)
  await checkRefs(tx, realm, record)
  if (!lists.includes(type)) await checkBooks(tx, realm, type, record, id)
  if (type === 'Deposit') await checkDeposit(tx, realm, record, id)
}

/** Makes a record. @throws Refused */
export const create = async (tx: Tx, realm: string, type: string, record: Remote): Promise<Kept> => {
  await check(tx, realm, type, record)
  const made = kept(type, record, await nextId(tx, realm), 0)
  await write(tx, realm, type, made.Id, made)
  if (type === 'Payment') await settle(tx, realm, made, 1)
  return made
}

/** A record as it stands, when the caller saw its last state. @throws Refused */
const current = async (tx: Tx, realm: string, type: string, change: Remote): Promise<Kept> => {
  const before = change.Id ? await read<Kept>(tx, realm, type, change.Id) : null
  if (!before || before.status === 'Deleted')
    throw new Refused('610', `Object Not Found : ${type} ${change.Id} was deleted or is not there.`)
  if (before.SyncToken !== change.SyncToken || (await takeFault(tx, realm, '5010')))
    throw new Refused('5010', 'Stale Object Error : You and somebody else were working on this at the same time.')
  return before
}

/** Changes a record: whole, or with `sparse` only what is given. @throws Refused */
export const update = async (tx: Tx, realm: string, type: string, change: Remote): Promise<Kept> => {
  const before = await current(tx, realm, type, change)
  const { sparse, ...fields } = change
  const next: Remote = sparse ? { ...before, ...fields } : fields
  await check(tx, realm, type, next, before.Id)
  if (type === 'Payment') await checkDeposited(tx, realm, before, next)
  if (type === 'Payment') await settle(tx, realm, before, -1)
  const paid = type === 'Payment' ? 0 : centsOf(before.TotalAmt) - centsOf(before.Balance)
  const after = kept(type, next, before.Id, Number(before.SyncToken) + 1, paid)
  await write(tx, realm, type, after.Id, after)
  if (type === 'Payment') await settle(tx, realm, after, 1)
  return after
}

/** Voids a transaction: it stays with its number and comes to nothing. */
export const voidIt = async (tx: Tx, realm: string, type: string, change: Remote): Promise<Kept> => {
  const before = await current(tx, realm, type, change)
  if (type === 'Payment') {
    await checkDeposited(tx, realm, before, { TotalAmt: 0 })
    await settle(tx, realm, before, -1)
  }
  const after: Kept = {
    ...before,
    SyncToken: String(Number(before.SyncToken) + 1),
    TotalAmt: '0.00',
    ...(type === 'Payment' ? {} : { Balance: '0.00' }),
    Line: (before.Line ?? []).map((line) => ({ ...line, Amount: '0.00', LinkedTxn: [] })),
    PrivateNote: `Voided${before.PrivateNote ? ` - ${before.PrivateNote}` : ''}`,
  }
  await write(tx, realm, type, after.Id, after)
  return after
}

/** Deletes a transaction: only whoever asks what changed hears of it. */
export const remove = async (tx: Tx, realm: string, type: string, change: Remote): Promise<Kept> => {
  const before = await current(tx, realm, type, change)
  if (type === 'Payment') {
    await checkDeposited(tx, realm, before, { TotalAmt: 0 })
    await settle(tx, realm, before, -1)
  }
  const gone: Kept = { Id: before.Id, SyncToken: before.SyncToken, status: 'Deleted' }
  await write(tx, realm, type, before.Id, gone)
  return gone
}
