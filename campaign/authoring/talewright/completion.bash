_talewright() {
  local word=${COMP_WORDS[COMP_CWORD]} verb= words= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in -*) ;; *) verb=${COMP_WORDS[i]}; break ;; esac
  done
  case $verb in
    '') words='%s' ;;
%s
  esac
  COMPREPLY=()
  if [[ -z $verb || $word == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  fi
}
complete -o default -F _talewright talewright
