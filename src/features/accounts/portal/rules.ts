/** The portal keeps the shorter password of the specification; whoever registers alone needs eight. */
export const portalPasswordMinimum = 6

export type AccountForm = {
  name: string
  email: string
  password: string
  confirmPassword: string
  customers: string
  companySize: string
}

/** What is wrong with the form, one message a field; nothing when it can be sent. */
export const checkAccount = (form: AccountForm): Partial<Record<keyof AccountForm, string>> => {
  const missing: [keyof AccountForm, string][] = [
    ['name', 'Enter a name'],
    ['email', 'Enter an email'],
    ['password', 'Enter a password'],
    ['customers', 'Choose the number of customers'],
    ['companySize', 'Choose the company size'],
  ]
  const problems: Partial<Record<keyof AccountForm, string>> = {}
  for (const [field, message] of missing) if (form[field].trim() === '') problems[field] = message
  if (!problems.email && !/^\S+@\S+\.\S+$/.test(form.email.trim()))
    problems.email = 'This does not look like an email address'
  if (!problems.password && form.password.length < portalPasswordMinimum)
    problems.password = `Password must be at least ${portalPasswordMinimum} characters long`
  if (form.password !== form.confirmPassword) problems.confirmPassword = 'Passwords do not match'
  return problems
}
