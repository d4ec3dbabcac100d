import { serve } from '../../platform/http/serve.ts'
import { AppError, conflict, notFound } from '../../shared/errors.ts'
import { findLocalLink, stepLocalAccount } from './accounts.ts'
import { getLocalBank } from './bank.ts'
import { keepLocalMethod, laterDeclines } from './cards.ts'
import { completeLocalPayment, findLocalPayment, type LocalPayment } from './checkout.ts'
import { letDaysPass } from './clearing.ts'
import { localPaymentsApi } from './contract.ts'
import { testAccounts } from './debits.ts'
import { findLocalDispute, openLocalDispute, stepLocalDispute } from './disputes.ts'
import { deliverLocalEvents } from './events.ts'
import { arriveLocalPayout, failLocalPayout, localPayouts, payOutLocally } from './payouts.ts'

/** Test cards by their number; the words are the provider's. */
const declined: Record<string, Record<'en' | 'es', string>> = {
  '4000000000000002': { en: 'Your card was declined.', es: 'Su tarjeta fue rechazada.' },
  '4000000000009995': { en: 'Your card has insufficient funds.', es: 'Su tarjeta no tiene fondos suficientes.' },
}
const texts = {
  en: {
    another: 'Nothing was charged; try another card.',
    paidBefore: 'This was paid before.',
    expired: 'This payment page has expired. Go back to the invoice and press Pay again; nothing was charged.',
    testAccount: 'Use a test account: 000123456789',
    asked: 'The test bank was asked. No real money moves.',
    bankOnly: 'This page takes no card: the price is that of a bank account.',
    testCard: 'Use a test card: 4242 4242 4242 4242',
    paid: 'Paid with a test card. No real money moved.',
  },
  es: {
    another: 'No se cobró nada; intente con otra tarjeta.',
    paidBefore: 'Esto ya se había pagado.',
    expired: 'Esta página de pago venció. Vuelva a la factura y presione Pagar de nuevo; no se cobró nada.',
    testAccount: 'Use una cuenta de prueba: 000123456789',
    asked: 'Se le pidió al banco de prueba. No se mueve dinero real.',
    bankOnly: 'Esta página no acepta tarjetas: el precio es el de una cuenta bancaria.',
    testCard: 'Use una tarjeta de prueba: 4242 4242 4242 4242',
    paid: 'Se pagó con una tarjeta de prueba. No se movió dinero real.',
  },
} as const
const goodCard = '4242424242424242'

/** A page is finished; what is asked of a bank is not paid by it. */
const tellFinished = (session: LocalPayment, paymentId: string, byBank: boolean): Promise<void> =>
  deliverLocalEvents([
    {
      type: 'checkout.session.completed',
      account: session.account,
      object: {
        id: session.id,
        object: 'checkout.session',
        mode: session.card ? 'setup' : 'payment',
        status: 'complete',
        payment_status: session.card ? 'no_payment_required' : byBank ? 'unpaid' : 'paid',
        payment_intent: session.card ? null : paymentId,
        amount_total: session.amountCents,
        currency: 'usd',
        metadata: { ...session.invoice, ...session.fee, ...session.card },
      },
    },
  ])

export const localPaymentsEndpoints = serve(
  'localPayments',
  localPaymentsApi,
)({
  checkout: async ({ params }) => {
    const session = await findLocalPayment(params.sessionId)
    if (!session) throw notFound('checkout')
    return {
      status: session.status,
      amountCents: session.amountCents,
      description: session.description,
      businessName: session.payeeName,
      savesCard: session.savesCard,
      keepsOnly: session.card !== null,
      tipCents: session.tipCents,
      bankAccounts: session.takesBank
        ? Object.entries(testAccounts).map(([number, { label }]) => ({ number, label }))
        : [],
      bankOnly: session.bankOnly,
      byBank: session.method === 'bank',
      returnPath: session.returnPath,
      language: session.language,
    }
  },
  pay: async ({ params, body }) => {
    const session = await findLocalPayment(params.sessionId)
    if (!session) throw notFound('checkout')
    const { returnPath, language } = session
    const t = texts[language]
    if (session.status === 'complete') return { result: 'paid', message: t.paidBefore, returnPath }
    if (session.status === 'expired') throw conflict(t.expired)
    if ('bankAccount' in body) {
      const number = body.bankAccount.replace(/\D/g, '')
      if (!session.takesBank || !session.account || !testAccounts[number])
        throw new AppError('validation_failed', 'Validation error', {
          errors: [{ path: 'bankAccount', message: t.testAccount }],
        })
      if (session.savesCard) await keepLocalMethod(params.sessionId, session.account, number, 'bank')
      const debit = {
        of: params.sessionId,
        by: 'page' as const,
        account: session.account,
        amountCents: session.amountCents,
        description: session.description,
        number,
        mark: session.invoice,
      }
      const paymentId = await completeLocalPayment(params.sessionId, session.card ? null : debit)
      if (paymentId) await tellFinished(session, paymentId, true)
      return { result: 'paid', message: t.asked, returnPath }
    }
    if (session.bankOnly)
      throw new AppError('validation_failed', 'Validation error', {
        errors: [{ path: 'cardNumber', message: t.bankOnly }],
      })
    const card = body.cardNumber.replace(/\D/g, '')
    const no = declined[card]
    if (no) return { result: 'declined', message: `${no[language]} ${t.another}`, returnPath }
    if (card !== goodCard && !(session.savesCard && laterDeclines[card]))
      throw new AppError('validation_failed', 'Validation error', {
        errors: [{ path: 'cardNumber', message: t.testCard }],
      })
    // Kept before it is paid: whoever asks right after finds both.
    if (session.savesCard && session.account) await keepLocalMethod(params.sessionId, session.account, card)
    const paymentId = await completeLocalPayment(params.sessionId, null, card)
    if (paymentId) await tellFinished(session, paymentId, false)
    return { result: 'paid', message: t.paid, returnPath }
  },
  account: async ({ params }) => {
    const link = await findLocalLink(params.linkId)
    if (!link) throw notFound('account')
    const { account, expired, refreshPath, returnPath } = link
    return { businessName: account.name, state: account.state, expired, refreshPath, returnPath }
  },
  stepAccount: async ({ params, body }) => {
    const link = await findLocalLink(params.linkId)
    if (!link) throw notFound('account')
    if (link.expired)
      throw conflict('This page is too old. Go back to your settings and open it again; nothing was changed.')
    await stepLocalAccount(link.accountId, body.step)
    return { returnPath: link.returnPath }
  },
  bank: ({ params }) => getLocalBank(params.accountId),
  passDays: async ({ params }) => {
    await letDaysPass(params.accountId)
    return getLocalBank(params.accountId)
  },
  dispute: async ({ params: { accountId }, body: { paymentId, kind, amountCents } }) => {
    const reason = kind === 'inquiry' ? 'unrecognized' : 'product_not_received'
    const wish = { kind, reason, ...(amountCents ? { amountCents } : {}) }
    if (!(await openLocalDispute(accountId, paymentId, wish))) throw notFound('payment')
    return getLocalBank(accountId)
  },
  payOut: async ({ params: { accountId } }) => {
    const bank = await getLocalBank(accountId)
    if (!(await payOutLocally(accountId))) {
      if (bank.payments.length > 0) throw conflict('Nothing waits to be paid out. Nothing was changed.')
      throw conflict('Nothing was paid by card yet, so there is nothing to pay out.')
    }
    return getLocalBank(accountId)
  },
  stepPayout: async ({ params: { accountId, payoutId }, body }) => {
    if (!(await localPayouts.findPayout(payoutId, accountId))) throw notFound('payout')
    await (body.step === 'arrive' ? arriveLocalPayout : failLocalPayout)(accountId, payoutId)
    return getLocalBank(accountId)
  },
  stepDispute: async ({ params: { accountId, disputeId }, body }) => {
    if (!(await findLocalDispute(disputeId, accountId))) throw notFound('dispute')
    await stepLocalDispute(disputeId, body.step)
    return getLocalBank(accountId)
  },
})
