import { IconAlertTriangle } from '../../../ui/icons.ts'

/** Why something of the payment page did not work. */
export const PayProblem = ({ problem }: { problem: string | null }) =>
  problem ? (
    <p className="pay__problem" role="alert">
      <IconAlertTriangle size={18} aria-hidden="true" /> {problem}
    </p>
  ) : null
